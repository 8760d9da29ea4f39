import type { Duplex } from 'node:stream';
import { AgentError, toAgentError } from '../agent-error.ts';
import { ByteQueue } from '../byte-queue.ts';
import { FrameChannel } from '../frame-channel.ts';
import { type Operation, type OperationArgs, type OperationResult, operations } from '../operations.ts';
import {
  type AgentHello,
  chunkBytes,
  decodeJson,
  encodeJson,
  type Frame,
  frameTypes,
  grantBytes,
  ProtocolError,
  protocolVersion,
  requestSchema,
  runnerHelloSchema,
  type WireError,
  windowBytes,
} from '../protocol.ts';

/** What an operation gets beside its arguments. `signal` aborts with the AgentError that says why. */
export type CallContext = {
  readonly id: number;
  readonly signal: AbortSignal;
  /** STDIN of this call. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Sends OUT and waits while the runner has granted nothing. */
  write(bytes: Uint8Array): Promise<void>;
  /** Sends what the runner has room for right now and drops the rest: for live views of what is kept elsewhere. */
  show(channel: 'out' | 'err', bytes: Uint8Array): void;
};

export type Handlers = { [O in Operation]: (args: OperationArgs<O>, call: CallContext) => Promise<OperationResult<O>> };
export type AgentIdentity = Omit<AgentHello, 'protocol' | 'epoch' | 'refused'>;

/** An answer above this goes out as OUT, so that the frame limit holds and pings get their turn. */
const inlineResultBytes = 131_072;
/** How long a handler may take to notice that it was told to stop, before END is sent without it. */
const stopGraceMs = 1_200;
const silenceMs = 30_000;

/** Serves one controller at a time: the newest connection with the highest epoch. */
export class AgentServer {
  readonly #handlers: Handlers;
  readonly #identity: AgentIdentity;
  readonly #onControllerChange: (connected: boolean) => void;
  #current: { epoch: number; connection: ServerConnection } | undefined;
  #highestEpoch = -1;

  constructor(
    handlers: Handlers,
    identity: AgentIdentity,
    onControllerChange: (connected: boolean) => void = () => undefined,
  ) {
    this.#handlers = handlers;
    this.#identity = identity;
    this.#onControllerChange = onControllerChange;
  }

  /** Resolves when that stream has ended. */
  serve(stream: Duplex): Promise<void> {
    return new Promise((resolve) => {
      const connection: ServerConnection = new ServerConnection(stream, this.#handlers, {
        greet: (epoch, protocol) => this.#greet(epoch, protocol, connection),
        closed: () => {
          if (this.#current?.connection === connection) {
            this.#current = undefined;
            this.#onControllerChange(false);
          }
          resolve();
        },
      });
    });
  }

  #greet(epoch: number, protocol: number, connection: ServerConnection): AgentHello {
    const hello = { ...this.#identity, protocol: protocolVersion, epoch: Math.max(epoch, this.#highestEpoch) };
    if (protocol !== protocolVersion)
      return { ...hello, refused: `this agent speaks protocol ${protocolVersion}, the runner ${protocol}` };
    if (epoch < this.#highestEpoch)
      return { ...hello, refused: `epoch ${this.#highestEpoch} holds this sandbox, ${epoch} is over` };
    const former = this.#current;
    this.#highestEpoch = epoch;
    this.#current = { epoch, connection };
    former?.connection.close();
    this.#onControllerChange(true);
    return hello;
  }
}

type ConnectionEvents = { greet(epoch: number, protocol: number): AgentHello; closed(): void };

class ServerConnection {
  readonly #channel: FrameChannel;
  readonly #handlers: Handlers;
  readonly #events: ConnectionEvents;
  readonly #calls = new Map<number, ServerCall>();
  #greeted = false;
  #lastId = 0;
  #silence: NodeJS.Timeout;

  constructor(stream: Duplex, handlers: Handlers, events: ConnectionEvents) {
    this.#handlers = handlers;
    this.#events = events;
    this.#channel = new FrameChannel(
      stream,
      (frame) => this.#receive(frame),
      () => this.#ended(),
    );
    this.#silence = setTimeout(() => this.close(), silenceMs);
  }

  close(): void {
    this.#channel.close(null);
  }

  #ended(): void {
    clearTimeout(this.#silence);
    for (const call of this.#calls.values()) call.stop(new AgentError('sandbox_lost', 'The runner went away.'));
    this.#events.closed();
  }

  #receive(frame: Frame): void {
    this.#silence.refresh();
    if (!this.#greeted) this.#receiveHello(frame);
    else if (frame.type === frameTypes.request) this.#receiveRequest(frame);
    else if (frame.type === frameTypes.ping) this.#channel.send(frameTypes.pong, 0, frame.payload.subarray(0, 64));
    else this.#calls.get(frame.id)?.receive(frame);
  }

  #receiveHello(frame: Frame): void {
    if (frame.type !== frameTypes.hello) throw new ProtocolError('The first frame must be a greeting.');
    const { epoch, protocol } = decodeJson(runnerHelloSchema, frame.payload, 'The greeting');
    const hello = this.#events.greet(epoch, protocol);
    this.#greeted = true;
    this.#channel.send(frameTypes.hello, 0, encodeJson(hello));
    if (hello.refused !== undefined) this.#channel.finish();
  }

  #receiveRequest(frame: Frame): void {
    if (frame.id <= this.#lastId) throw new ProtocolError(`Stream id ${frame.id} was used before.`);
    this.#lastId = frame.id;
    const { op, args, deadlineMs, window } = decodeJson(requestSchema, frame.payload, 'A request');
    const call = new ServerCall(frame.id, this.#channel, window);
    this.#calls.set(frame.id, call);
    call.run(() => this.#dispatch(op, args, call), deadlineMs).finally(() => this.#calls.delete(frame.id));
  }

  async #dispatch(op: string, args: unknown, call: CallContext): Promise<unknown> {
    if (!isOperation(op)) throw new AgentError('unavailable', `This sandbox agent does not know ${op.slice(0, 80)}.`);
    const parsed = operations[op].args.safeParse(args);
    if (!parsed.success)
      throw new AgentError(
        'invalid_input',
        `${op} got arguments it does not take: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`,
      );
    // The table pairs each name with its own argument type; the index loses that pairing.
    const handler = this.#handlers[op] as (args: unknown, call: CallContext) => Promise<unknown>;
    return handler(parsed.data, call);
  }
}

function isOperation(op: string): op is Operation {
  return Object.hasOwn(operations, op);
}

class ServerCall implements CallContext {
  readonly id: number;
  readonly input: ByteQueue;
  readonly #channel: FrameChannel;
  readonly #stopping = new AbortController();
  #credit: number;
  #inputAllowance = windowBytes;
  #inputConsumed = 0;
  #wake: (() => void) | undefined;

  constructor(id: number, channel: FrameChannel, window: number) {
    this.id = id;
    this.#channel = channel;
    this.#credit = window;
    this.input = new ByteQueue((bytes) => this.#grant(bytes));
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Runs to exactly one END, whatever the handler does. */
  async run(handle: () => Promise<unknown>, deadlineMs: number): Promise<void> {
    const deadline = setTimeout(
      () => this.stop(new AgentError('timeout', `It took longer than ${deadlineMs} ms.`)),
      deadlineMs,
    );
    let giveUp: NodeJS.Timeout | undefined;
    const stopped = new Promise<never>((_resolve, reject) => {
      this.signal.addEventListener('abort', () => {
        giveUp = setTimeout(() => reject(this.signal.reason), stopGraceMs);
      });
    });
    try {
      await this.#answer(await Promise.race([handle(), stopped]));
    } catch (error) {
      this.#channel.send(frameTypes.end, this.id, encodeJson({ error: toWire(toAgentError(error)) }));
    } finally {
      clearTimeout(deadline);
      clearTimeout(giveUp);
    }
  }

  receive(frame: Frame): void {
    if (frame.type === frameTypes.cancel) this.stop(new AgentError('cancelled', 'It was cancelled.'));
    if (frame.type === frameTypes.stdin) this.#receiveInput(frame.payload);
    if (frame.type !== frameTypes.credit || frame.payload.length !== 4) return;
    this.#credit += frame.payload.readUInt32BE(0);
    this.#wake?.();
  }

  stop(reason: AgentError): void {
    if (this.signal.aborted) return;
    this.#stopping.abort(reason);
    this.input.fail(reason);
    this.#wake?.();
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      while (this.#credit <= 0 && !this.signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      this.signal.throwIfAborted();
      const piece = bytes.subarray(at, at + Math.min(chunkBytes, this.#credit));
      this.#credit -= piece.length;
      at += piece.length;
      await this.#channel.sendBulk(frameTypes.out, this.id, piece);
    }
  }

  show(channel: 'out' | 'err', bytes: Uint8Array): void {
    const piece = bytes.subarray(0, Math.min(chunkBytes, this.#credit));
    if (piece.length === 0 || this.signal.aborted || this.#channel.blocked) return;
    this.#credit -= piece.length;
    this.#channel.send(channel === 'out' ? frameTypes.out : frameTypes.err, this.id, piece);
  }

  #receiveInput(payload: Buffer): void {
    if (payload.length === 0) return this.input.end();
    this.#inputAllowance -= payload.length;
    if (this.#inputAllowance < 0) throw new ProtocolError('More input than was granted.');
    this.input.push(payload);
  }

  #grant(bytes: number): void {
    this.#inputConsumed += bytes;
    if (this.#inputConsumed < grantBytes) return;
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(this.#inputConsumed, 0);
    this.#inputAllowance += this.#inputConsumed;
    this.#inputConsumed = 0;
    this.#channel.send(frameTypes.credit, this.id, payload);
  }

  async #answer(result: unknown): Promise<void> {
    const payload = encodeJson({ result });
    if (payload.length <= inlineResultBytes) {
      this.#channel.send(frameTypes.end, this.id, payload);
      return;
    }
    await this.write(encodeJson(result));
    this.#channel.send(frameTypes.end, this.id, encodeJson({ resultInData: true }));
  }
}

function toWire(error: AgentError): WireError {
  const wire: WireError = { code: error.code, message: error.message.slice(0, 16_000) };
  if (error.next !== undefined) wire.next = error.next.slice(0, 16_000);
  if (error.data !== undefined) wire.data = error.data;
  return wire;
}
