import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A chunk as its row holds it; `rawBytes` is null where compression would have gained nothing. */
export type PackedChunk = { bytes: Buffer; rawBytes: number | null };

export async function packChunk(raw: Uint8Array): Promise<PackedChunk> {
  const packed = await compress(raw);
  if (packed.length < raw.length) return { bytes: packed, rawBytes: raw.length };
  return { bytes: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), rawBytes: null };
}

/** Never more than was written: what was tampered with to grow is refused. */
export async function unpackChunk({ bytes, rawBytes }: PackedChunk): Promise<Buffer> {
  return rawBytes === null ? bytes : decompress(bytes, { maxOutputLength: rawBytes });
}
