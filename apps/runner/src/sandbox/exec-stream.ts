import { Duplex } from 'node:stream';

const headerBytes = 8;
const keptDiagnostics = 2_000;

/**
 * The stdin and stdout of one engine exec as a plain byte stream, with the engine's multiplexing taken off.
 * stderr is diagnostics of the bridge: its end becomes the message of the error the stream closes with.
 * Source: engine API, "attach to a container", stream format (u8 stream, 3 zero bytes, u32be length).
 */
export class ExecStream extends Duplex {
  readonly #socket: Duplex;
  #rest: Buffer = Buffer.alloc(0);
  #payloadLeft = 0;
  #payloadIsStdout = true;
  #diagnostics = '';

  constructor(socket: Duplex) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.#finish());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #finish(): void {
    const said = this.#diagnostics.trim();
    if (said !== '') this.destroy(new Error(`The bridge into the sandbox ended: ${said}`));
    else this.push(null);
  }

  /** Payloads are handed on as slices: nothing is joined but a header that fell between two chunks. */
  #receive(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = Buffer.alloc(0);
    let wantsMore = true;
    while (data.length > 0) {
      if (this.#payloadLeft === 0) {
        if (data.length < headerBytes) {
          this.#rest = data;
          break;
        }
        this.#payloadIsStdout = data.readUInt8(0) === 1;
        this.#payloadLeft = data.readUInt32BE(4);
        data = data.subarray(headerBytes);
      }
      const payload = data.subarray(0, this.#payloadLeft);
      this.#payloadLeft -= payload.length;
      data = data.subarray(payload.length);
      if (payload.length > 0) wantsMore = this.#deliver(payload) && wantsMore;
    }
    if (!wantsMore) this.#socket.pause();
  }

  #deliver(payload: Buffer): boolean {
    if (this.#payloadIsStdout) return this.push(payload);
    this.#diagnostics = (this.#diagnostics + payload.toString('utf8')).slice(-keptDiagnostics);
    return true;
  }
}
