import type { Duplex } from 'node:stream';
import { chunkBytes, type Frame, FrameParser, type FrameType, frameHeader, ProtocolError } from './protocol.ts';

/** More than this unsent means the other end stopped reading. */
const backlogLimitBytes = 8_388_608;
const joinLimitBytes = 8_192;

type Piece = { type: FrameType; payload: Uint8Array; sent: () => void; failed: (error: Error) => void };

/**
 * Frames over one duplex. Control frames leave at once; bulk waits while the pipe is full and streams take turns,
 * so a large read never holds up a ping by more than one chunk.
 */
export class FrameChannel {
  readonly #stream: Duplex;
  readonly #parser = new FrameParser();
  readonly #bulk = new Map<number, Piece[]>();
  #blocked = false;
  #closed = false;
  readonly #onClose: (error: Error | null) => void;

  constructor(stream: Duplex, onFrame: (frame: Frame) => void, onClose: (error: Error | null) => void) {
    this.#stream = stream;
    this.#onClose = onClose;
    stream.on('data', (chunk: Buffer) => this.#read(chunk, onFrame));
    stream.on('drain', () => {
      this.#blocked = false;
      this.#pump();
    });
    stream.on('end', () => this.close(null));
    stream.on('close', () => this.close(null));
    stream.on('error', (error: Error) => this.close(error));
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The pipe is full: whoever can wait should. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Ends once what was sent has left. */
  finish(): void {
    this.#stream.end(() => this.close(null));
  }

  /** Sends at once, ahead of queued bulk. */
  send(type: FrameType, id: number, payload: Uint8Array = Buffer.alloc(0)): void {
    if (this.#closed) return;
    this.#write(type, id, payload);
    if (this.#stream.writableLength > backlogLimitBytes)
      this.close(new ProtocolError('The other end stopped reading.'));
  }

  /** Resolves when the chunk was handed to the pipe: a caller that awaits holds one chunk at a time. */
  sendBulk(type: FrameType, id: number, payload: Uint8Array): Promise<void> {
    if (payload.length > chunkBytes) throw new ProtocolError('Bulk travels in chunks.');
    if (this.#closed) return Promise.reject(new ProtocolError('The connection is closed.'));
    return new Promise((sent, failed) => {
      const queue = this.#bulk.get(id) ?? [];
      queue.push({ type, payload, sent, failed });
      this.#bulk.set(id, queue);
      this.#pump();
    });
  }

  close(error: Error | null): void {
    if (this.#closed) return;
    this.#closed = true;
    const reason = error ?? new ProtocolError('The connection was closed.');
    for (const queue of this.#bulk.values()) for (const piece of queue) piece.failed(reason);
    this.#bulk.clear();
    this.#stream.destroy();
    this.#onClose(error);
  }

  #pump(): void {
    while (!this.#blocked && !this.#closed) {
      const next = this.#bulk.entries().next();
      if (next.done) return;
      const [id, queue] = next.value;
      const piece = queue.shift();
      // Going to the back of the map is what makes streams take turns.
      this.#bulk.delete(id);
      if (queue.length > 0) this.#bulk.set(id, queue);
      if (!piece) continue;
      this.#write(piece.type, id, piece.payload);
      piece.sent();
    }
  }

  #write(type: FrameType, id: number, payload: Uint8Array): void {
    const header = frameHeader(type, id, payload.length);
    if (payload.length <= joinLimitBytes) {
      this.#blocked = !this.#stream.write(payload.length === 0 ? header : Buffer.concat([header, payload]));
      return;
    }
    this.#stream.cork();
    this.#stream.write(header);
    this.#blocked = !this.#stream.write(payload);
    this.#stream.uncork();
  }

  #read(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    if (this.#closed) return;
    try {
      for (const frame of this.#parser.push(chunk)) {
        onFrame(frame);
        if (this.#closed) return;
      }
    } catch (error) {
      this.close(error instanceof Error ? error : new ProtocolError(String(error)));
    }
  }
}
