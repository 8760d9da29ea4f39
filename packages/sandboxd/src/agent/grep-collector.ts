import type { GrepRequest, GrepResult } from '../operations.ts';
import { lstatInside, type Root } from './confine.ts';

/** Counted exactly up to here; beyond it the answer says so. */
export const matchLimit = 10_000;
export const sizeLimitBytes = 20_971_520;
const lineChars = 300;

type Line = GrepResult['lines'][number];

/** Turns hits in file order into one window of the answer, whatever found them. */
export class GrepCollector {
  readonly #root: Root;
  readonly #request: GrepRequest;
  readonly #lines: Line[] = [];
  readonly #files: { path: string; count: number; mtimeMs: number }[] = [];
  #path = '';
  #pending: Line[] = [];
  #count = 0;
  #before = 0;
  matches = 0;
  #skipped = 0;

  constructor(root: Root, request: GrepRequest) {
    this.#root = root;
    this.#request = request;
  }

  begin(path: string): void {
    this.#path = path;
    this.#pending = [];
    this.#count = 0;
    this.#before = this.matches;
  }

  /** One line, or the lines of one multi-line match; `first` is the byte where the match begins. */
  line(number: number, text: string, match: boolean, first: number): void {
    if (match && this.matches >= matchLimit) return;
    if (match) {
      this.matches += 1;
      this.#count += 1;
    }
    if (this.#request.output !== 'content') return;
    const rows = text.replace(/\r?\n$/, '').split(/\r?\n/);
    for (const [index, row] of rows.entries()) {
      this.#pending.push({
        path: this.#path,
        line: number + index,
        text: index === 0 ? cutAround(row, first) : cutAround(row, 0),
        match,
      });
    }
  }

  /** A file that turned out to be binary is left out whole. */
  end(binary: boolean): void {
    if (binary) {
      this.#skipped += 1;
      this.matches = this.#before;
      return;
    }
    if (this.#count === 0) return;
    this.#files.push({ path: this.#path, count: this.#count, mtimeMs: 0 });
    this.#takeWindow();
  }

  skip(): void {
    this.#skipped += 1;
  }

  result(): GrepResult {
    const { output, offset, limit } = this.#request;
    // Only the last file can be cut off by the limit; it never ended.
    if (this.#count > 0 && this.#files.at(-1)?.path !== this.#path && this.matches >= matchLimit) this.end(false);
    const filesMatched = this.#files.length;
    let files = this.#files;
    if (output === 'files')
      files = files
        .map((file) => ({ ...file, mtimeMs: lstatInside(this.#root, file.path)?.mtimeMs ?? 0 }))
        .sort((one, other) => other.mtimeMs - one.mtimeMs);
    return {
      lines: this.#lines,
      files: output === 'content' ? files : files.slice(offset, offset + limit),
      matches: this.matches,
      matchesExact: this.matches < matchLimit,
      filesMatched,
      skipped: this.#skipped,
    };
  }

  /** Matches [offset, offset + limit) with the context lines that stand next to them. */
  #takeWindow(): void {
    const { offset, limit, context } = this.#request;
    let index = this.#before;
    const shown = new Set<number>();
    for (const line of this.#pending) {
      if (!line.match) continue;
      if (index >= offset && index < offset + limit)
        for (let near = -context; near <= context; near += 1) shown.add(line.line + near);
      index += 1;
    }
    index = this.#before;
    for (const line of this.#pending) {
      const inside = index >= offset && index < offset + limit;
      if (line.match) index += 1;
      if (line.match ? inside : shown.has(line.line)) this.#lines.push(line);
    }
  }
}

/** At most 300 characters with the match in view; `first` counts bytes, which is near enough. */
function cutAround(text: string, first: number): string {
  if (text.length <= lineChars) return text;
  const start = Math.max(0, Math.min(first - 60, text.length - lineChars));
  const piece = text.slice(start, start + lineChars);
  return `${start > 0 ? '…' : ''}${piece}${start + lineChars < text.length ? '…' : ''}`;
}
