import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type OutputChannel = 'stdout' | 'stderr';
export type OutputLimits = { memoryBytes: number; limitBytes: number; folder: string };

export const outputLimits: OutputLimits = { memoryBytes: 1_048_576, limitBytes: 67_108_864, folder: tmpdir() };
const pieceBytes = 65_536;
/** A command that switches streams with every byte would else cost more in bookkeeping than in output. */
const segmentLimit = 262_144;

/**
 * All output of one command in the order it came, up to a limit; then the oldest goes. The first megabyte stays in
 * memory, more lives in a file that has no name any more, so that it vanishes with the agent.
 */
export class OutputLog {
  readonly #limits: OutputLimits;
  /** Lengths of runs, positive for stdout and negative for stderr; the first begins at `#segmentStart`. */
  #segments: number[] = [];
  #segmentStart = 0;
  #memory: Buffer[] = [];
  #fd: number | null = null;
  #start = 0;
  #end = 0;

  constructor(limits: OutputLimits = outputLimits) {
    this.#limits = limits;
  }

  /** Offsets count every byte ever written; `start` is the first one still kept. */
  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  get keptBytes(): number {
    return this.#end - this.#start;
  }

  /** What `read` of that stream yields now. */
  keptOf(channel: OutputChannel): number {
    let kept = 0;
    let offset = this.#segmentStart;
    for (const segment of this.#segments) {
      const length = Math.abs(segment);
      if (channel === (segment > 0 ? 'stdout' : 'stderr'))
        kept += Math.max(0, offset + length - Math.max(offset, this.#start));
      offset += length;
    }
    return kept;
  }

  append(channel: OutputChannel, bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#store(bytes);
    this.#end += bytes.length;
    this.#start = Math.max(this.#start, this.#end - this.#limits.limitBytes);
    this.#addSegment(channel === 'stdout' ? bytes.length : -bytes.length);
  }

  /** Kept bytes from `from` up to what is there now; of one stream where `channel` is given. */
  *read(from: number, channel: OutputChannel | null = null): Generator<Buffer> {
    const end = this.#end;
    let offset = this.#segmentStart;
    for (const segment of [...this.#segments]) {
      const length = Math.abs(segment);
      const wanted = channel === null || channel === (segment > 0 ? 'stdout' : 'stderr');
      if (wanted) yield* this.#readRange(Math.max(offset, from), Math.min(offset + length, end));
      offset += length;
    }
  }

  /** Gives memory and disk back; what was counted stays counted. */
  discard(): void {
    this.#start = this.#end;
    this.#segments = [];
    this.#segmentStart = this.#end;
    this.#memory = [];
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #addSegment(signed: number): void {
    const last = this.#segments.at(-1);
    if (last !== undefined && Math.sign(last) === Math.sign(signed))
      this.#segments[this.#segments.length - 1] = last + signed;
    else this.#segments.push(signed);
    if (this.#segments.length <= segmentLimit) return;
    for (const dropped of this.#segments.splice(0, segmentLimit / 2)) this.#segmentStart += Math.abs(dropped);
    this.#start = Math.max(this.#start, this.#segmentStart);
  }

  #store(bytes: Buffer): void {
    if (this.#fd === null && this.#end + bytes.length <= this.#limits.memoryBytes) {
      this.#memory.push(Buffer.from(bytes));
      return;
    }
    if (this.#fd === null) this.#spill();
    this.#writeAt(this.#end, bytes);
  }

  #spill(): void {
    const path = join(this.#limits.folder, `.oneslot-${randomBytes(12).toString('hex')}`);
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    unlinkSync(path);
    this.#writeAt(0, Buffer.concat(this.#memory));
    this.#memory = [];
  }

  #writeAt(offset: number, bytes: Buffer): void {
    if (this.#fd === null) return;
    const limit = this.#limits.limitBytes;
    for (let at = 0; at < bytes.length; ) {
      const position = (offset + at) % limit;
      at += writeSync(this.#fd, bytes, at, Math.min(bytes.length - at, limit - position), position);
    }
  }

  *#readRange(from: number, to: number): Generator<Buffer> {
    for (let at = from; at < to; ) {
      // The ring may have moved on while the reader was away.
      at = Math.max(at, this.#start);
      if (at >= to) return;
      const piece = this.#readPiece(at, Math.min(pieceBytes, to - at));
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }

  #readPiece(offset: number, length: number): Buffer {
    if (this.#fd === null) return this.#readMemory(offset, length);
    const position = offset % this.#limits.limitBytes;
    const piece = Buffer.allocUnsafe(Math.min(length, this.#limits.limitBytes - position));
    return piece.subarray(0, readSync(this.#fd, piece, 0, piece.length, position));
  }

  #readMemory(offset: number, length: number): Buffer {
    let start = 0;
    for (const chunk of this.#memory) {
      if (offset < start + chunk.length) return chunk.subarray(offset - start, offset - start + length);
      start += chunk.length;
    }
    return Buffer.alloc(0);
  }
}
