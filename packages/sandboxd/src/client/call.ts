import { AgentError, isAgentErrorCode } from '../agent-error.ts';
import { ByteQueue, collectBytes } from '../byte-queue.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { type Operation, operations } from '../operations.ts';
import {
  chunkBytes,
  creditPayload,
  decodeJson,
  encodeJson,
  endSchema,
  type Frame,
  frameTypes,
  grantBytes,
  ProtocolError,
  type WireError,
  windowBytes,
} from '../protocol.ts';

export type CallOptions = {
  deadlineMs?: number;
  signal?: AbortSignal;
  /** Sent as STDIN, under credit. */
  input?: AsyncIterable<Uint8Array>;
  onOutput?(chunk: Buffer, channel: 'out' | 'err'): void;
};

/** `collect` keeps all of it for the answer, `stream` waits for a reader, `live` hands it on and forgets it. */
export type CallMode = 'collect' | 'stream' | 'live';

export type CallSetup = {
  id: number;
  op: Operation;
  mode: CallMode;
  options: CallOptions;
  channel: FrameChannel;
  deadlineMs: number;
  graceMs: number;
  /** The agent answered, or never will: the id is free to forget. */
  onDone(): void;
  /** The agent was told to stop this call and did not. */
  onUnanswered(): void;
};

/** What one answer may weigh in the runner's memory: a file of 50 MiB and some room. */
export const collectLimitBytes = 54_525_952;
const cancelMs = 900;
const unansweredMs = 3_000;

/** One operation on its way: counts what the agent may send, and settles exactly once. */
export class ClientCall {
  readonly data: ByteQueue;
  readonly result: Promise<unknown>;
  readonly #setup: CallSetup;
  #resolve: (value: unknown) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #settled = false;
  #allowance = windowBytes;
  #consumed = 0;
  #received = 0;
  #inputCredit = windowBytes;
  #inputStopped = false;
  #wakeInput: (() => void) | undefined;
  #timers: NodeJS.Timeout[] = [];
  readonly #onAbort: () => void;

  constructor(setup: CallSetup) {
    this.#setup = setup;
    this.data = new ByteQueue(
      (bytes) => {
        if (setup.mode === 'stream') this.#grant(bytes);
      },
      () => this.cancel(new AgentError('cancelled', `The reader of ${setup.op} stopped.`)),
    );
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#onAbort = () => this.cancel(new AgentError('cancelled', `${setup.op} was cancelled.`));
  }

  begin(args: unknown): void {
    const { id, op, channel, options, deadlineMs, graceMs } = this.#setup;
    if (options.signal?.aborted) {
      this.lose(new AgentError('cancelled', `${op} was cancelled before it began.`));
      return;
    }
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#timers.push(setTimeout(() => this.#overdue(), deadlineMs + graceMs));
    channel.send(frameTypes.request, id, encodeJson({ op, args, deadlineMs, window: windowBytes }));
    if (!options.input) return;
    this.#sendInput(options.input).catch((error: unknown) =>
      this.cancel(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** @throws ProtocolError when the agent breaks the rules */
  receive(frame: Frame): void {
    if (frame.type === frameTypes.out || frame.type === frameTypes.err) this.#receiveData(frame);
    if (frame.type === frameTypes.end) this.#receiveEnd(frame);
    if (frame.type !== frameTypes.credit || frame.payload.length !== 4) return;
    this.#inputCredit = Math.min(this.#inputCredit + frame.payload.readUInt32BE(0), 2 * windowBytes);
    this.#wakeInput?.();
  }

  /** Asks the agent to stop; waits a moment for its own answer, then fails the call here. */
  cancel(error: Error): void {
    if (this.#settled) return;
    this.#tellToStop();
    this.#timers.push(setTimeout(() => this.#fail(error), cancelMs));
  }

  /** Nothing will come any more. */
  lose(error: Error): void {
    this.#finish();
    this.#fail(error);
  }

  async #sendInput(input: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of input) {
      for (let at = 0; at < chunk.length; ) {
        await this.#inputRoom();
        if (this.#inputStopped) return;
        const piece = chunk.subarray(at, at + Math.min(chunkBytes, this.#inputCredit));
        this.#inputCredit -= piece.length;
        at += piece.length;
        await this.#setup.channel.sendBulk(frameTypes.stdin, this.#setup.id, piece);
      }
    }
    if (!this.#inputStopped) this.#setup.channel.send(frameTypes.stdin, this.#setup.id);
  }

  async #inputRoom(): Promise<void> {
    while (this.#inputCredit <= 0 && !this.#inputStopped) {
      await new Promise<void>((resolve) => {
        this.#wakeInput = resolve;
      });
    }
  }

  #receiveData(frame: Frame): void {
    const { op, mode, options } = this.#setup;
    const bytes = frame.payload.length;
    this.#allowance -= bytes;
    this.#received += bytes;
    if (this.#allowance < 0) throw new ProtocolError(`${op} sent more than it was granted.`);
    if (mode === 'collect' && this.#received > collectLimitBytes)
      throw new ProtocolError(`${op} sent more than an answer may hold.`);
    if (!this.#settled) options.onOutput?.(frame.payload, frame.type === frameTypes.out ? 'out' : 'err');
    if (!this.#settled && mode !== 'live') this.data.push(frame.payload);
    if (this.#settled || mode !== 'stream') this.#grant(bytes);
  }

  #receiveEnd(frame: Frame): void {
    const end = decodeJson(endSchema, frame.payload, `The answer to ${this.#setup.op}`);
    this.#finish();
    if (end.error) this.#fail(fromWire(end.error));
    else if (end.resultInData) this.#deliverLarge().catch((error: Error) => this.#fail(error));
    else this.#deliver(end.result);
  }

  async #deliverLarge(): Promise<void> {
    this.data.end();
    const bytes = await collectBytes(this.data, collectLimitBytes, () => new ProtocolError('Too much data.'));
    this.#deliver(JSON.parse(bytes.toString('utf8')));
  }

  #deliver(value: unknown): void {
    const { op } = this.#setup;
    const parsed = operations[op].result.safeParse(value);
    if (!parsed.success) {
      this.#fail(
        new AgentError('internal', `The sandbox agent answered ${op} with something else.`, { cause: parsed.error }),
      );
      return;
    }
    this.#settled = true;
    this.data.end();
    this.#resolve(parsed.data);
  }

  #fail(error: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.data.fail(error);
    this.#reject(error);
  }

  #finish(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#setup.options.signal?.removeEventListener('abort', this.#onAbort);
    this.#stopInput();
    this.#setup.onDone();
  }

  #overdue(): void {
    this.#tellToStop();
    this.#fail(
      new AgentError('timeout', `${this.#setup.op} did not answer in time; the sandbox was asked to stop it.`),
    );
  }

  #tellToStop(): void {
    this.#setup.channel.send(frameTypes.cancel, this.#setup.id);
    this.#stopInput();
    this.#timers.push(setTimeout(() => this.#setup.onUnanswered(), unansweredMs));
  }

  #stopInput(): void {
    this.#inputStopped = true;
    this.#wakeInput?.();
  }

  #grant(bytes: number): void {
    this.#consumed += bytes;
    if (this.#consumed < grantBytes) return;
    this.#allowance += this.#consumed;
    this.#setup.channel.send(frameTypes.credit, this.#setup.id, creditPayload(this.#consumed));
    this.#consumed = 0;
  }
}

function fromWire(error: WireError): AgentError {
  const details: { next?: string; data?: unknown } = {};
  if (error.next !== undefined) details.next = error.next;
  if (error.data !== undefined) details.data = error.data;
  return new AgentError(isAgentErrorCode(error.code) ? error.code : 'internal', error.message, details);
}
