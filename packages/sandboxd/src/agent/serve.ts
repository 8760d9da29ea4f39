import type { Duplex } from 'node:stream';
import { AgentError } from '../agent-error.ts';
import { FrameChannel } from '../frame-channel.ts';
import { type Operation, type OperationArgs, type OperationResult, operations } from '../operations.ts';
import {
  type AgentHello,
  decodeJson,
  encodeJson,
  type Frame,
  frameTypes,
  ProtocolError,
  protocolVersion,
  requestSchema,
  runnerHelloSchema,
} from '../protocol.ts';
import { type CallContext, ServerCall } from './server-call.ts';

export type Handlers = { [O in Operation]: (args: OperationArgs<O>, call: CallContext) => Promise<OperationResult<O>> };
export type AgentIdentity = Omit<AgentHello, 'protocol' | 'epoch' | 'refused'>;

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
