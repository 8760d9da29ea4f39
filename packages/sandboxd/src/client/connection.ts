import type { Duplex } from 'node:stream';
import { AgentError } from '../agent-error.ts';
import { type ByteQueue, collectBytes } from '../byte-queue.ts';
import { FrameChannel } from '../frame-channel.ts';
import type { Operation, OperationArgs, OperationResult } from '../operations.ts';
import {
  type AgentHello,
  agentHelloSchema,
  decodeJson,
  encodeJson,
  type Frame,
  frameTypes,
  ProtocolError,
  protocolVersion,
} from '../protocol.ts';
import { type CallMode, type CallOptions, ClientCall, collectLimitBytes } from './call.ts';

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

export type OpenCall<O extends Operation> = { id: number; data: ByteQueue; result: Promise<OperationResult<O>> };

const defaults = { heartbeatMs: 5_000, helloTimeoutMs: 15_000, graceMs: 2_000, deadlineMs: 30_000 };
/** Heartbeats without any answer before the agent counts as gone. */
const missedBeats = 3;

/** One controller's end of the stream. Nothing that arrives here is trusted: it is what code in the sandbox wrote. */
export class Connection {
  readonly #channel: FrameChannel;
  readonly #calls = new Map<number, ClientCall>();
  readonly #options: ConnectOptions;
  #nextId = 1;
  #hello: { resolve(hello: AgentHello): void; reject(error: Error): void } | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #lastHeardAt = performance.now();
  #pings: ((error: Error | null) => void)[] = [];
  #lost: string | null = null;
  #closing = false;

  constructor(stream: Duplex, options: ConnectOptions) {
    this.#options = options;
    this.#channel = new FrameChannel(
      stream,
      (frame) => this.#receive(frame),
      (error) => this.#lose(error ? error.message : 'the stream ended'),
    );
  }

  async handshake(): Promise<AgentHello> {
    const timeoutMs = this.#options.helloTimeoutMs ?? defaults.helloTimeoutMs;
    const timer = setTimeout(() => this.#lose('the agent did not answer the greeting'), timeoutMs);
    try {
      const hello = await new Promise<AgentHello>((resolve, reject) => {
        this.#hello = { resolve, reject };
        this.#channel.send(frameTypes.hello, 0, encodeJson({ protocol: protocolVersion, epoch: this.#options.epoch }));
      });
      this.#startHeartbeat();
      return hello;
    } finally {
      clearTimeout(timer);
    }
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

  /** Round trip in milliseconds. */
  async ping(): Promise<number> {
    if (this.#lost !== null) throw this.#lostError();
    const sentAt = performance.now();
    await new Promise<void>((resolve, reject) => {
      this.#pings.push((error) => (error ? reject(error) : resolve()));
      this.#channel.send(frameTypes.ping, 0);
    });
    return performance.now() - sentAt;
  }

  close(): void {
    this.#closing = true;
    this.#channel.close(null);
  }

  #open<O extends Operation>(op: O, args: OperationArgs<O>, options: CallOptions, mode: CallMode): OpenCall<O> {
    const id = this.#nextId++;
    const call = new ClientCall({
      id,
      op,
      mode,
      options,
      channel: this.#channel,
      deadlineMs: options.deadlineMs ?? defaults.deadlineMs,
      graceMs: this.#options.graceMs ?? defaults.graceMs,
      onDone: () => this.#calls.delete(id),
      onUnanswered: () => this.#lose(`the agent did not end ${op} after it was told to`),
    });
    this.#calls.set(id, call);
    if (this.#lost === null) call.begin(args);
    else call.lose(this.#lostError());
    // The call parses its answer with the schema of this very operation.
    return { id, data: call.data, result: call.result as Promise<OperationResult<O>> };
  }

  #receive(frame: Frame): void {
    this.#lastHeardAt = performance.now();
    if (frame.type === frameTypes.hello) this.#receiveHello(frame);
    else if (frame.type === frameTypes.ping) this.#channel.send(frameTypes.pong, 0, frame.payload.subarray(0, 64));
    else if (frame.type === frameTypes.pong) this.#pings.shift()?.(null);
    // An unknown id is a late frame of a call that was given up, or a lie; either way it changes nothing.
    else this.#calls.get(frame.id)?.receive(frame);
  }

  #receiveHello(frame: Frame): void {
    const pending = this.#hello;
    if (!pending) throw new ProtocolError('A second greeting.');
    this.#hello = undefined;
    const hello = decodeJson(agentHelloSchema, frame.payload, 'The greeting');
    if (hello.protocol === protocolVersion && hello.refused === undefined) {
      pending.resolve(hello);
      return;
    }
    const why = hello.refused ?? `the agent speaks protocol ${hello.protocol}, this runner ${protocolVersion}`;
    const code = hello.protocol === protocolVersion ? 'conflict' : 'unavailable';
    pending.reject(new AgentError(code, `The sandbox agent turned the connection down: ${why}.`));
    this.close();
  }

  #startHeartbeat(): void {
    const everyMs = this.#options.heartbeatMs ?? defaults.heartbeatMs;
    this.#heartbeat = setInterval(() => {
      if (performance.now() - this.#lastHeardAt > everyMs * missedBeats) {
        this.#lose('the agent stopped answering');
        return;
      }
      this.#pings.push(() => undefined);
      this.#channel.send(frameTypes.ping, 0);
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
    for (const answer of this.#pings.splice(0)) answer(error);
    for (const call of [...this.#calls.values()]) call.lose(error);
    this.#channel.close(null);
    if (!this.#closing) this.#options.onLost(reason);
  }
}
