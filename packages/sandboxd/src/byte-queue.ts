/** Bytes handed from a connection to one reader; `onConsumed` tells the sender how much room there is again. */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  readonly #onConsumed: (bytes: number) => unknown;
  readonly #onAbandoned: () => void;
  #ended = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #bytes = 0;

  constructor(onConsumed: (bytes: number) => unknown = () => undefined, onAbandoned: () => void = () => undefined) {
    this.#onConsumed = onConsumed;
    this.#onAbandoned = onAbandoned;
  }

  get bufferedBytes(): number {
    return this.#bytes;
  }

  push(chunk: Uint8Array): void {
    if (this.#ended || chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  fail(error: Error): void {
    if (this.#ended) return;
    this.#failure = error;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let finished = false;
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#bytes -= chunk.length;
          yield chunk;
          this.#onConsumed(chunk.length);
          continue;
        }
        if (this.#ended) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
      finished = true;
      if (this.#failure) throw this.#failure;
    } finally {
      if (!finished) this.#onAbandoned();
    }
  }
}

/** Joins a stream of bytes once, at its end. @throws what `onTooLarge` returns when it exceeds `limitBytes` */
export async function collectBytes(
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
  onTooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw onTooLarge();
    chunks.push(chunk);
  }
  const only = chunks[0];
  if (chunks.length === 1 && only) return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  return Buffer.concat(chunks, bytes);
}
