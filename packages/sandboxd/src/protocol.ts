import * as z from 'zod/mini';

/** Raised whenever a frame or an operation changes its meaning; both ends refuse another number. */
export const protocolVersion = 1;
export const frameLimitBytes = 1_048_576;
/** Bulk data travels in pieces of this size, so that a ping waits for one piece at most. */
export const chunkBytes = 65_536;
/** Bytes a sender may have in flight per stream before the receiver grants more. */
export const windowBytes = 1_048_576;
/** A receiver grants again each time this much was consumed. */
export const grantBytes = 262_144;
const headerBytes = 9;

export const frameTypes = {
  hello: 1,
  request: 2,
  out: 3,
  err: 4,
  end: 5,
  stdin: 6,
  cancel: 7,
  credit: 8,
  ping: 9,
  pong: 10,
} as const;
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes];
export type Frame = { type: FrameType; id: number; payload: Buffer };

const knownTypes = new Set<number>(Object.values(frameTypes));

export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** u32be length of what follows the length | u8 type | u32be stream id. */
export function frameHeader(type: FrameType, id: number, payloadBytes: number): Buffer {
  if (payloadBytes + headerBytes - 4 > frameLimitBytes)
    throw new ProtocolError(`A frame of ${payloadBytes} bytes exceeds the limit.`);
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32BE(payloadBytes + headerBytes - 4, 0);
  header.writeUInt8(type, 4);
  header.writeUInt32BE(id, 5);
  return header;
}

/** Cuts a byte stream into frames. Chunks are kept in a list and copied once at most, never joined per chunk. */
export class FrameParser {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** Frames completed by `chunk`. @throws ProtocolError after which the stream is unusable */
  *push(chunk: Buffer): Generator<Frame> {
    if (chunk.length > 0) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes >= headerBytes) {
      const length = this.#peekLength();
      if (length < headerBytes - 4 || length > frameLimitBytes)
        throw new ProtocolError(`Frame length ${length} is out of bounds.`);
      if (this.#bytes < length + 4) return;
      const header = this.#take(headerBytes);
      const type = header.readUInt8(4);
      if (!knownTypes.has(type)) throw new ProtocolError(`Frame type ${type} is unknown.`);
      yield { type: type as FrameType, id: header.readUInt32BE(5), payload: this.#take(length - headerBytes + 4) };
    }
  }

  get bufferedBytes(): number {
    return this.#bytes;
  }

  #peekLength(): number {
    const first = this.#chunks[0];
    if (first && first.length >= 4) return first.readUInt32BE(0);
    const head = this.#take(4);
    this.#chunks.unshift(head);
    this.#bytes += 4;
    return head.readUInt32BE(0);
  }

  #take(count: number): Buffer {
    this.#bytes -= count;
    const first = this.#chunks[0];
    if (count === 0 || first === undefined) return Buffer.alloc(0);
    if (first.length > count) {
      this.#chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    if (first.length === count) {
      this.#chunks.shift();
      return first;
    }
    return this.#takeAcross(count);
  }

  #takeAcross(count: number): Buffer {
    const whole = Buffer.allocUnsafe(count);
    let filled = 0;
    let used = 0;
    while (filled < count) {
      const chunk = this.#chunks[used];
      if (chunk === undefined) break;
      const part = Math.min(chunk.length, count - filled);
      chunk.copy(whole, filled, 0, part);
      filled += part;
      if (part === chunk.length) used += 1;
      else this.#chunks[used] = chunk.subarray(part);
    }
    this.#chunks.splice(0, used);
    return whole;
  }
}

export function creditPayload(bytes: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(bytes, 0);
  return payload;
}

export function encodeJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** @throws ProtocolError when the payload is no JSON of that shape */
export function decodeJson<T>(schema: z.ZodMiniType<T>, payload: Uint8Array, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8'));
  } catch (cause) {
    throw new ProtocolError(`${what} is no JSON.`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new ProtocolError(`${what} has the wrong shape: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

const shortText = z.string().check(z.maxLength(200));
export const isolationSchema = z.enum(['none', 'simulated', 'namespace', 'container', 'vm']);

export const runnerHelloSchema = z.object({ protocol: z.int(), epoch: z.int().check(z.nonnegative()) });
export const agentHelloSchema = z.object({
  protocol: z.int(),
  version: shortText,
  bootId: shortText,
  epoch: z.int(),
  isolation: isolationSchema,
  features: z.object({
    pty: z.boolean(),
    git: z.boolean(),
    ripgrep: z.boolean(),
    background: z.boolean(),
    processes: z.boolean(),
  }),
  /** Set where the agent turned the connection down, in words for the log. */
  refused: z.exactOptional(shortText),
});
export type AgentHello = z.infer<typeof agentHelloSchema>;
export type AgentFeatures = AgentHello['features'];

export const requestSchema = z.object({
  op: shortText,
  args: z.unknown(),
  deadlineMs: z.int().check(z.positive(), z.maximum(86_400_000)),
  window: z.int().check(z.positive(), z.maximum(67_108_864)),
});

export const wireErrorSchema = z.object({
  code: z.string().check(z.maxLength(64)),
  message: z.string().check(z.maxLength(16_384)),
  next: z.exactOptional(z.string().check(z.maxLength(16_384))),
  data: z.exactOptional(z.unknown()),
});
export type WireError = z.infer<typeof wireErrorSchema>;

/** `resultInData`: the result was too large for one frame and is the JSON that arrived as OUT. */
export const endSchema = z.object({
  result: z.exactOptional(z.unknown()),
  resultInData: z.exactOptional(z.boolean()),
  error: z.exactOptional(wireErrorSchema),
});
