import { AgentError } from '../agent-error.ts';
import { blockBytes, readHeader, readPax, type TarHeader } from './tar-format.ts';

const extensionLimitBytes = 1_048_576;

export type TarEntry = TarHeader & {
  /** Must be read to its end before the next entry is asked for. */ body: AsyncIterable<Buffer>;
};

/** Entries of a tar as they come; nothing of it is held but one chunk. @throws AgentError invalid_input */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const input = new BlockInput(source);
  let pax = new Map<string, string>();
  let longName: string | null = null;
  let longLink: string | null = null;
  for (;;) {
    const block = await input.block();
    if (block === null || block.every((byte) => byte === 0)) return input.drain();
    const header = readHeader(block);
    if ('xgLK'.includes(header.flag)) {
      const body = await input.small(header.sizeBytes);
      if (header.flag === 'x') pax = readPax(body);
      if (header.flag === 'L') longName = body.toString('utf8').replace(/\0+$/, '');
      if (header.flag === 'K') longLink = body.toString('utf8').replace(/\0+$/, '');
      continue;
    }
    const sizeBytes = Number.parseInt(pax.get('size') ?? String(header.sizeBytes), 10);
    const hasBody = header.kind === 'file' || header.kind === 'other';
    const length = hasBody ? sizeBytes : 0;
    yield {
      ...header,
      path: pax.get('path') ?? longName ?? header.path,
      linkTarget: pax.get('linkpath') ?? longLink ?? header.linkTarget,
      sizeBytes: length,
      body: input.body(length),
    };
    await input.skipBody();
    pax = new Map();
    longName = null;
    longLink = null;
  }
}

/** Hands out exact amounts of a byte stream. */
class BlockInput {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #bodyLeft = 0;
  #padLeft = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Null at a clean end. */
  async block(): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for (let missing = blockBytes; missing > 0; ) {
      const part = await this.#some(missing);
      if (part === null && missing === blockBytes) return null;
      if (part === null) throw cutOff();
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  async small(sizeBytes: number): Promise<Buffer> {
    if (sizeBytes > extensionLimitBytes)
      throw new AgentError('invalid_input', 'The archive is damaged: an extension is too large.');
    const parts: Buffer[] = [];
    for await (const part of this.body(sizeBytes)) parts.push(part);
    await this.skipBody();
    return Buffer.concat(parts);
  }

  /** What is not read of it is skipped by `skipBody`. */
  body(sizeBytes: number): AsyncGenerator<Buffer> {
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
      throw new AgentError('invalid_input', 'The archive is damaged: an entry has no size.');
    this.#bodyLeft = sizeBytes;
    this.#padLeft = (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
    return this.#readBody();
  }

  async *#readBody(): AsyncGenerator<Buffer> {
    while (this.#bodyLeft > 0) {
      const part = await this.#some(this.#bodyLeft);
      if (part === null) throw cutOff();
      this.#bodyLeft -= part.length;
      yield part;
    }
  }

  async skipBody(): Promise<void> {
    for (let left = this.#bodyLeft + this.#padLeft; left > 0; ) {
      const part = await this.#some(left);
      if (part === null) throw cutOff();
      left -= part.length;
    }
    this.#bodyLeft = 0;
    this.#padLeft = 0;
  }

  /** Writers pad the end; whoever sends waits until that was taken too. */
  async drain(): Promise<void> {
    while ((await this.#some(Number.MAX_SAFE_INTEGER)) !== null);
  }

  async #some(limit: number): Promise<Buffer | null> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next();
      if (next.done) return null;
      this.#rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    const part = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}

function cutOff(): AgentError {
  return new AgentError('invalid_input', 'The archive ends in the middle of an entry.');
}
