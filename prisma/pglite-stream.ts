import { Duplex } from 'node:stream';
import type { EmbeddedDatabase } from './embedded-database.ts';

const typeQuery = 0x51;
const typeSync = 0x53;
const typeFlush = 0x48;
const typeTerminate = 0x58;
const sslRequestCode = 80_877_103;
const gssRequestCode = 80_877_104;

/** What `pg` takes for a socket: it hands wire messages to the embedded database and reads its answers. */
export class PGliteStream extends Duplex {
  readonly #database: EmbeddedDatabase;
  #unread: Buffer = Buffer.alloc(0);
  #pending: Buffer[] = [];
  #startedUp = false;

  constructor(database: EmbeddedDatabase) {
    super();
    this.#database = database;
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    this.#feed().then(() => done(), done);
  }

  async #feed(): Promise<void> {
    for (let message = this.#nextMessage(); message; message = this.#nextMessage()) {
      if (this.#startedUp && message[0] === typeTerminate) {
        this.push(null);
        return;
      }
      this.#pending.push(message);
      if (this.#endsRound(message)) await this.#run();
    }
  }

  /** Start-up messages have no type byte, all later ones do; both carry their length. */
  #nextMessage(): Buffer | null {
    const header = this.#startedUp ? 1 : 0;
    if (this.#unread.length < header + 4) return null;
    const length = header + this.#unread.readInt32BE(header);
    if (this.#unread.length < length) return null;
    const message = this.#unread.subarray(0, length);
    this.#unread = this.#unread.subarray(length);
    return message;
  }

  /** The server answers at these points only; cutting elsewhere would split one extended query in two. */
  #endsRound(message: Buffer): boolean {
    if (this.#startedUp) return message[0] === typeQuery || message[0] === typeSync || message[0] === typeFlush;
    const code = message.readInt32BE(4);
    if (code !== sslRequestCode && code !== gssRequestCode) this.#startedUp = true;
    return true;
  }

  async #run(): Promise<void> {
    const bytes = this.#pending.length === 1 ? (this.#pending[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pending);
    this.#pending = [];
    this.push(Buffer.from(await this.#database.run(bytes)));
  }
}
