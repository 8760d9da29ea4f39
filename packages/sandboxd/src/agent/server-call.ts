import { AgentError, toAgentError } from '../agent-error.ts';
import { ByteQueue } from '../byte-queue.ts';
import type { FrameChannel } from '../frame-channel.ts';
import {
  chunkBytes,
  creditPayload,
  encodeJson,
  type Frame,
  frameTypes,
  grantBytes,
  ProtocolError,
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

/** An answer above this goes out as OUT, so that the frame limit holds and pings get their turn. */
const inlineResultBytes = 131_072;
/** How long a handler may take to notice that it was told to stop, before END is sent without it. */
const stopGraceMs = 1_200;

/** One operation that runs: input and output under credit, exactly one END. */
export class ServerCall implements CallContext {
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
    if (payload.length === 0) {
      this.input.end();
      return;
    }
    this.#inputAllowance -= payload.length;
    if (this.#inputAllowance < 0) throw new ProtocolError('More input than was granted.');
    this.input.push(payload);
  }

  #grant(bytes: number): void {
    this.#inputConsumed += bytes;
    if (this.#inputConsumed < grantBytes) return;
    this.#inputAllowance += this.#inputConsumed;
    this.#channel.send(frameTypes.credit, this.id, creditPayload(this.#inputConsumed));
    this.#inputConsumed = 0;
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
