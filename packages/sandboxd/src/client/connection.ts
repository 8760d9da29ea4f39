import type { Duplex } from 'node:stream';
import { AgentError, isAgentErrorCode } from '../agent-error.ts';
import { ByteQueue, collectBytes } from '../byte-queue.ts';
import { FrameChannel } from '../frame-channel.ts';
import { type Operation, type OperationArgs, type OperationResult, operations } from '../operations.ts';
import {
  type AgentHello,
  agentHelloSchema,
  chunkBytes,
  decodeJson,
  encodeJson,
  endSchema,
  type Frame,
  frameTypes,
  grantBytes,
  ProtocolError,
  protocolVersion,
  type WireError,
  windowBytes,
} from '../protocol.ts';

export type ConnectOptions = {
  /** The session lease's epoch: a higher one takes the agent over, a lower one is turned away. */
  epoch: number;
  /** Called once when the connection ends without `close()`; every open call fails with sandbox_lost. */
  onLost(reason: string): void;
  heartbeatMs?: number;
  helloTimeoutMs?: number;
  /** What the runner adds to the agent's own deadline before it cancels, and then again before it gives up. */
  graceMs?: number;
};

export type CallOptions = {
  deadlineMs?: number;
  signal?: AbortSignal;
  /** Sent as STDIN, under credit. */
  input?: AsyncIterable<Uint8Array>;
  onOutput?(chunk: Buffer, channel: 'out' | 'err'): void;
};

export type OpenCall<O extends Operation> = { id: number; data: ByteQueue; result: Promise<OperationResult<O>> };
type Beginning = {
  id: number;
  op: Operation;
  args: unknown;
  options: CallOptions;
  data: ByteQueue;
  mode: Call['mode'];
  resolve(value: unknown): void;
  reject(error: Error): void;
};

type Call = {
  op: Operation;
  data: ByteQueue;
  resolve(value: unknown): void;
  reject(error: Error): void;
  /** Bytes the agent may still send before it breaks the rules. */
  allowance: number;
  consumed: number;
  inputCredit: number;
  wakeInput: (() => void) | undefined;
  timers: NodeJS.Timeout[];
  cleanup(): void;
  onOutput: ((chunk: Buffer, channel: 'out' | 'err') => void) | undefined;
  settled: boolean;
  stopInput: boolean;
  /** `collect` keeps all of it for the answer, `stream` waits for a reader, `live` hands it on and forgets it. */
  mode: 'collect' | 'stream' | 'live';
  received: number;
};

const defaults = { heartbeatMs: 5_000, helloTimeoutMs: 10_000, graceMs: 2_000, deadlineMs: 30_000 };
/** What one answer may weigh in the runner's memory: a file of 50 MiB and some room. */
const collectLimitBytes = 54_525_952;

/** One controller's end of the stream. Nothing that arrives here is trusted: it is what code in the sandbox wrote. */
export class Connection {
  readonly #channel: FrameChannel;
  readonly #calls = new Map<number, Call>();
  readonly #options: ConnectOptions;
  readonly #graceMs: number;
  #nextId = 1;
  #hello: { resolve(hello: AgentHello): void; reject(error: Error): void } | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #lastHeardAt = performance.now();
  #pings: { sentAt: number; resolve(ms: number): void }[] = [];
  #lost: string | null = null;
  #closing = false;

  constructor(stream: Duplex, options: ConnectOptions) {
    this.#options = options;
    this.#graceMs = options.graceMs ?? defaults.graceMs;
    this.#channel = new FrameChannel(
      stream,
      (frame) => this.#receive(frame),
      (error) => this.#lose(error ? error.message : 'the stream ended'),
    );
  }

  handshake(): Promise<AgentHello> {
    return new Promise<AgentHello>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#lose('the agent did not answer the greeting'),
        this.#options.helloTimeoutMs ?? defaults.helloTimeoutMs,
      );
      this.#hello = {
        resolve: (hello) => {
          clearTimeout(timer);
          this.#startHeartbeat();
          resolve(hello);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#channel.send(frameTypes.hello, 0, encodeJson({ protocol: protocolVersion, epoch: this.#options.epoch }));
    });
  }

  /** One operation, one answer: the parsed result, or an AgentError. */
  async call<O extends Operation>(
    op: O,
    args: OperationArgs<O>,
    options: CallOptions = {},
  ): Promise<OperationResult<O>> {
    return this.#open(op, args, options, options.onOutput ? 'live' : 'collect').result;
  }

  /** As `call`, with the bytes of OUT beside the answer. */
  async collect<O extends Operation>(
    op: O,
    args: OperationArgs<O>,
    options: CallOptions = {},
  ): Promise<{ result: OperationResult<O>; bytes: Buffer }> {
    const { data, result: answer } = this.#open(op, args, options, 'collect');
    const result = await answer;
    return { result, bytes: await collectBytes(data, collectLimitBytes, () => new ProtocolError('Too much data.')) };
  }

  /** As `call`, with OUT readable while it runs; a reader that pauses makes the agent pause. */
  open<O extends Operation>(op: O, args: OperationArgs<O>, options: CallOptions = {}): OpenCall<O> {
    return this.#open(op, args, options, 'stream');
  }

  #open<O extends Operation>(op: O, args: OperationArgs<O>, options: CallOptions, mode: Call['mode']): OpenCall<O> {
    const id = this.#nextId++;
    const data = new ByteQueue(
      (bytes) => mode === 'stream' && this.#consumed(id, bytes),
      () => this.#cancel(id, new AgentError('cancelled', `The reader of ${op} stopped.`)),
    );
    const result = new Promise<OperationResult<O>>((resolve, reject) => {
      const settle = { resolve: resolve as (value: unknown) => void, reject };
      this.#begin({ id, op, args, options, data, mode, ...settle });
    });
    return { id, data, result };
  }

  ping(): Promise<number> {
    if (this.#lost !== null) return Promise.reject(this.#lostError());
    return new Promise((resolve) => {
      this.#pings.push({ sentAt: performance.now(), resolve });
      this.#channel.send(frameTypes.ping, 0);
    });
  }

  close(): void {
    this.#closing = true;
    this.#channel.close(null);
  }

  #begin({ id, op, args, options, data, mode, resolve, reject }: Beginning): void {
    if (this.#lost !== null) {
      reject(this.#lostError());
      return;
    }
    if (options.signal?.aborted) {
      reject(new AgentError('cancelled', `${op} was cancelled before it began.`));
      return;
    }
    const deadlineMs = options.deadlineMs ?? defaults.deadlineMs;
    const onAbort = () => this.#cancel(id, new AgentError('cancelled', `${op} was cancelled.`));
    const call: Call = {
      op,
      data,
      resolve,
      reject,
      allowance: windowBytes,
      consumed: 0,
      inputCredit: windowBytes,
      wakeInput: undefined,
      timers: [setTimeout(() => this.#overdue(id), deadlineMs + this.#graceMs)],
      cleanup: () => options.signal?.removeEventListener('abort', onAbort),
      onOutput: options.onOutput,
      settled: false,
      stopInput: false,
      mode,
      received: 0,
    };
    options.signal?.addEventListener('abort', onAbort, { once: true });
    this.#calls.set(id, call);
    this.#channel.send(frameTypes.request, id, encodeJson({ op, args, deadlineMs, window: windowBytes }));
    if (options.input)
      this.#sendInput(id, call, options.input).catch((error: unknown) =>
        this.#cancel(id, error instanceof Error ? error : new Error(String(error))),
      );
  }

  async #sendInput(id: number, call: Call, input: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of input) {
      for (let at = 0; at < chunk.length; ) {
        while (call.inputCredit <= 0 && !call.stopInput) {
          await new Promise<void>((resolve) => {
            call.wakeInput = resolve;
          });
        }
        if (call.stopInput || this.#channel.closed) return;
        const piece = chunk.subarray(at, at + Math.min(chunkBytes, call.inputCredit));
        call.inputCredit -= piece.length;
        at += piece.length;
        await this.#channel.sendBulk(frameTypes.stdin, id, piece);
      }
    }
    if (!call.stopInput) this.#channel.send(frameTypes.stdin, id);
  }

  #receive(frame: Frame): void {
    this.#lastHeardAt = performance.now();
    if (frame.type === frameTypes.hello) return this.#receiveHello(frame);
    if (frame.type === frameTypes.ping) return this.#channel.send(frameTypes.pong, 0, frame.payload.subarray(0, 64));
    if (frame.type === frameTypes.pong) {
      const ping = this.#pings.shift();
      ping?.resolve(performance.now() - ping.sentAt);
      return;
    }
    const call = this.#calls.get(frame.id);
    // An unknown id is a late frame of a call that was given up, or a lie; either way it changes nothing.
    if (!call) return;
    if (frame.type === frameTypes.out || frame.type === frameTypes.err) return this.#receiveData(frame, call);
    if (frame.type === frameTypes.end) return this.#receiveEnd(frame, call);
    if (frame.type === frameTypes.credit && frame.payload.length === 4) {
      call.inputCredit = Math.min(call.inputCredit + frame.payload.readUInt32BE(0), 2 * windowBytes);
      call.wakeInput?.();
    }
  }

  #receiveHello(frame: Frame): void {
    const pending = this.#hello;
    if (!pending) throw new ProtocolError('A second greeting.');
    this.#hello = undefined;
    const hello = decodeJson(agentHelloSchema, frame.payload, 'The greeting');
    if (hello.protocol === protocolVersion && hello.refused === undefined) return pending.resolve(hello);
    const why = hello.refused ?? `the agent speaks protocol ${hello.protocol}, this runner ${protocolVersion}`;
    this.#closing = true;
    pending.reject(
      new AgentError(
        hello.refused === undefined ? 'unavailable' : 'conflict',
        `The sandbox agent turned the connection down: ${why}.`,
      ),
    );
    this.#channel.close(null);
  }

  #receiveData(frame: Frame, call: Call): void {
    call.allowance -= frame.payload.length;
    if (call.allowance < 0) throw new ProtocolError(`${call.op} sent more than it was granted.`);
    call.received += frame.payload.length;
    if (call.mode === 'collect' && call.received > collectLimitBytes)
      throw new ProtocolError(`${call.op} sent more than an answer may hold.`);
    if (!call.settled) call.onOutput?.(frame.payload, frame.type === frameTypes.out ? 'out' : 'err');
    if (!call.settled && call.mode !== 'live') call.data.push(frame.payload);
    if (call.settled || call.mode !== 'stream') this.#consumed(frame.id, frame.payload.length);
  }

  #receiveEnd(frame: Frame, call: Call): void {
    const end = decodeJson(endSchema, frame.payload, `The answer to ${call.op}`);
    this.#finish(frame.id, call);
    if (call.settled) return;
    if (end.error) return this.#fail(call, fromWire(end.error));
    if (end.resultInData) {
      this.#readLargeResult(call).then(
        (value) => this.#deliver(call, value),
        (error: Error) => this.#fail(call, error),
      );
      return;
    }
    this.#deliver(call, end.result);
  }

  async #readLargeResult(call: Call): Promise<unknown> {
    call.data.end();
    const bytes = await collectBytes(call.data, collectLimitBytes, () => new ProtocolError('Too much data.'));
    return JSON.parse(bytes.toString('utf8'));
  }

  #deliver(call: Call, value: unknown): void {
    const parsed = operations[call.op].result.safeParse(value);
    if (!parsed.success)
      return this.#fail(
        call,
        new AgentError('internal', `The sandbox agent answered ${call.op} with something else.`, {
          cause: parsed.error,
        }),
      );
    call.settled = true;
    call.data.end();
    call.resolve(parsed.data);
  }

  #fail(call: Call, error: Error): void {
    if (call.settled) return;
    call.settled = true;
    call.data.fail(error);
    call.reject(error);
  }

  #finish(id: number, call: Call): void {
    this.#calls.delete(id);
    for (const timer of call.timers) clearTimeout(timer);
    call.cleanup();
    call.stopInput = true;
    call.wakeInput?.();
  }

  #consumed(id: number, bytes: number): void {
    const call = this.#calls.get(id);
    if (!call) return;
    call.consumed += bytes;
    if (call.consumed < grantBytes) return;
    const grant = Buffer.allocUnsafe(4);
    grant.writeUInt32BE(call.consumed, 0);
    call.allowance += call.consumed;
    call.consumed = 0;
    this.#channel.send(frameTypes.credit, id, grant);
  }

  /** Asks the agent to stop; waits a moment for its own answer, then fails the call here. */
  #cancel(id: number, error: Error): void {
    const call = this.#calls.get(id);
    if (!call || call.settled) return;
    this.#channel.send(frameTypes.cancel, id);
    call.stopInput = true;
    call.wakeInput?.();
    call.timers.push(setTimeout(() => this.#fail(call, error), 900));
    call.timers.push(setTimeout(() => this.#unanswered(id), this.#graceMs + 3_000));
  }

  #overdue(id: number): void {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#channel.send(frameTypes.cancel, id);
    call.timers.push(setTimeout(() => this.#unanswered(id), 3_000));
    this.#fail(call, new AgentError('timeout', `${call.op} did not answer in time; the sandbox was asked to stop it.`));
  }

  #unanswered(id: number): void {
    const call = this.#calls.get(id);
    if (call) this.#lose(`the agent did not end ${call.op} after it was told to`);
  }

  #startHeartbeat(): void {
    const everyMs = this.#options.heartbeatMs ?? defaults.heartbeatMs;
    this.#heartbeat = setInterval(() => {
      if (performance.now() - this.#lastHeardAt > everyMs * 3) return this.#lose('the agent stopped answering');
      this.#channel.send(frameTypes.ping, 0);
      this.#pings.push({ sentAt: performance.now(), resolve: () => undefined });
    }, everyMs);
    this.#heartbeat.unref();
  }

  #lostError(): AgentError {
    return new AgentError('sandbox_lost', `The connection to the sandbox ended: ${this.#lost ?? 'closed'}.`, {
      next: 'Files are kept, running processes may be gone. Try again; the sandbox is started anew where needed.',
    });
  }

  #lose(reason: string): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    clearInterval(this.#heartbeat);
    const error = this.#lostError();
    this.#hello?.reject(error);
    for (const [id, call] of this.#calls) {
      this.#finish(id, call);
      this.#fail(call, error);
    }
    this.#channel.close(null);
    if (!this.#closing) this.#options.onLost(reason);
  }
}

function fromWire(error: WireError): AgentError {
  const details: { next?: string; data?: unknown } = {};
  if (error.next !== undefined) details.next = error.next;
  if (error.data !== undefined) details.data = error.data;
  return new AgentError(isAgentErrorCode(error.code) ? error.code : 'internal', error.message, details);
}
