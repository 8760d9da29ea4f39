import type { SandboxClient } from '@oneslot/sandboxd';
import type { SandboxEngine, SandboxRef } from './engine.ts';
import { greetAgent, newSandboxSpec } from './open-sandbox.ts';

export type PoolOptions = { engine: SandboxEngine; epoch: number; size: number; onError(error: unknown): void };
export type PoolMember = { ref: SandboxRef; client: SandboxClient; whenLost(tell: (reason: string) => void): void };
export type Pool = {
  /** A sandbox that answers right now, or null; once taken it never comes back. */
  take(): Promise<PoolMember | null>;
  /** Tops up behind the caller's back, one at a time; does nothing before the image is there. */
  fill(): void;
  holds(sandboxId: string): boolean;
  close(): Promise<void>;
};

const answerLimitMs = 500;

export function createPool(options: PoolOptions): Pool {
  return new WarmPool(options);
}

/** Running, connected sandboxes with a fresh volume each, waiting for a session. */
class WarmPool implements Pool {
  readonly #options: PoolOptions;
  readonly #members: PoolMember[] = [];
  /** Ids being made or handed out: no row knows them yet, and nobody may reap them. */
  readonly #held = new Set<string>();
  #filling: Promise<void> | null = null;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async take(): Promise<PoolMember | null> {
    for (let member = this.#members.shift(); member !== undefined; member = this.#members.shift()) {
      if (await answers(member.client)) return member;
      member.client.close();
      this.#discard(member.ref).catch(this.#options.onError);
    }
    return null;
  }

  fill(): void {
    const { engine, size } = this.#options;
    const ready = engine.imageState() === 'ready' || engine.imageState() === 'none';
    if (this.#closed || !ready || this.#filling !== null || this.#members.length >= size) return;
    this.#filling = this.#top().finally(() => {
      this.#filling = null;
    });
  }

  holds(sandboxId: string): boolean {
    return this.#held.has(sandboxId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#filling;
    for (const { client } of this.#members) client.close();
    await Promise.all(this.#members.splice(0).map(({ ref }) => this.#discard(ref)));
  }

  async #top(): Promise<void> {
    try {
      while (!this.#closed && this.#members.length < this.#options.size) await this.#add();
    } catch (error) {
      // The next open tries again; until then sessions start cold and say themselves what is wrong.
      this.#options.onError(error);
    }
  }

  async #add(): Promise<void> {
    const { engine, epoch } = this.#options;
    const spec = newSandboxSpec();
    this.#held.add(spec.sandboxId);
    let made: SandboxRef | null = null;
    try {
      const ref = await engine.create(spec);
      made = ref;
      await engine.start(ref);
      let tell = (_reason: string): void => this.#drop(ref);
      const client = await greetAgent(engine, ref, { epoch, onLost: (_client, reason) => tell(reason) });
      const whenLost = (next: typeof tell): void => {
        tell = next;
      };
      this.#members.push({ ref, client, whenLost });
    } catch (error) {
      // What a failed create may have left has no name here: let go of it, and the reaper finds it.
      if (made === null) this.#held.delete(spec.sandboxId);
      else await this.#discard(made);
      throw error;
    }
  }

  #drop(ref: SandboxRef): void {
    const index = this.#members.findIndex((member) => member.ref === ref);
    if (index >= 0) this.#members.splice(index, 1);
    this.#discard(ref).catch(this.#options.onError);
  }

  async #discard(ref: SandboxRef): Promise<void> {
    await this.#options.engine.destroy(ref, { keepVolume: false });
    this.#held.delete(ref.sandboxId);
  }
}

async function answers(client: SandboxClient): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), answerLimitMs);
  });
  const ping = client.ping().then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([ping, limit]);
  clearTimeout(timer);
  return answered;
}
