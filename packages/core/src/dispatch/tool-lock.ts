import { ToolError } from '../errors.ts';

export type LockKind = 'none' | 'shared' | 'exclusive';

/** Travels with a nested call, so that a tool that calls tools does not wait for itself. */
export type LockToken = { readonly kind: LockKind; readonly callId: string };
export type HeldLock = { token: LockToken; release(): void };

type Waiter = { kind: LockKind; grant(): void };

/** One per sandbox: readers overlap, whoever changes something is alone. First come, first served, so that no writer starves. */
export class ToolLock {
  #readers = 0;
  #writing = false;
  #queue: Waiter[] = [];

  /** @throws ToolError lock_upgrade_refused where a nested call asks for more than its parent holds; cancelled */
  async acquire(
    kind: LockKind,
    callId: string,
    options: { signal: AbortSignal; parent?: LockToken },
  ): Promise<HeldLock> {
    const { parent, signal } = options;
    if (kind === 'none') return { token: { kind: parent?.kind ?? 'none', callId }, release: () => undefined };
    if (parent && parent.kind !== 'none') return nestedLock(kind, callId, parent);
    if (signal.aborted) throw cancelled();
    if (this.#queue.length > 0 || !this.#free(kind)) await this.#wait(kind, signal);
    else this.#take(kind);
    return { token: { kind, callId }, release: once(() => this.#release(kind)) };
  }

  #free(kind: LockKind): boolean {
    return kind === 'shared' ? !this.#writing : !this.#writing && this.#readers === 0;
  }

  #take(kind: LockKind): void {
    if (kind === 'shared') this.#readers += 1;
    else this.#writing = true;
  }

  #release(kind: LockKind): void {
    if (kind === 'shared') this.#readers -= 1;
    else this.#writing = false;
    this.#grantNext();
  }

  #grantNext(): void {
    for (let next = this.#queue[0]; next && this.#free(next.kind); next = this.#queue[0]) {
      this.#queue.shift();
      this.#take(next.kind);
      next.grant();
    }
  }

  #wait(kind: LockKind, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#queue = this.#queue.filter((one) => one !== waiter);
        // A reader behind the writer that just left may run now.
        this.#grantNext();
        reject(cancelled());
      };
      const waiter: Waiter = {
        kind,
        grant: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(waiter);
    });
  }
}

function nestedLock(kind: LockKind, callId: string, parent: LockToken): HeldLock {
  if (parent.kind === 'exclusive' || kind === 'shared')
    return { token: { kind: parent.kind, callId }, release: () => undefined };
  throw new ToolError(
    'lock_upgrade_refused',
    `This call writes, but it was started inside call ${parent.callId}, which holds a shared lock for reading.`,
    { next: 'Make this call by itself, after the other one has ended.' },
  );
}

const cancelled = () => new ToolError('cancelled', 'The turn was stopped before this call started.');

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
