import type { EnvelopeInfo, EnvelopeStore } from '../contract/ports.ts';
import { ToolError } from '../errors.ts';
import { createCleaner } from './clean-output.ts';
import { describeGone } from './describe-gone.ts';

/** One stored output; texts are latin1, one character a byte. @throws ToolError not_found where it was removed meanwhile */
export type StoredSource = { info: EnvelopeInfo; read(start: number, end: number): Promise<string> };

const blockBytes = 256 * 1024;

/** @throws ToolError not_found, with the reason where the output was removed */
export async function openStored(ref: string, store: EnvelopeStore): Promise<StoredSource> {
  const info = await store.info(ref);
  if (!info) throw await missingRef(ref, store);
  return {
    info,
    async read(start, end) {
      const bytes = await store.read(ref, start, end);
      // Retention may take it between two pages; a page that is short for that reason must not look like the end.
      if (bytes.length < Math.min(end, info.bytes) - start) throw await missingRef(ref, store);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    },
  };
}

/** The same words for a ref of another session and for one that never was. */
async function missingRef(ref: string, store: EnvelopeStore): Promise<ToolError> {
  const gone = await store.gone(ref);
  if (gone) {
    const next = `Make that ${gone.tool} call (${gone.callId}) again; its result names a new ref.`;
    return new ToolError('not_found', describeGone(ref, gone), { next });
  }
  const newest = await store.newest(5);
  const next =
    newest.length === 0 ? 'Nothing is stored in this session yet.' : `The newest refs are ${newest.join(', ')}.`;
  const named = JSON.stringify(ref.slice(0, 80));
  return new ToolError('not_found', `No stored output of this session has the ref ${named}.`, { next });
}

/** Newlines before `until`. */
export async function countLines(source: StoredSource, until: number): Promise<number> {
  let count = 0;
  for (let at = 0; at < until; at += blockBytes)
    count += newlines(await source.read(at, Math.min(until, at + blockBytes)));
  return count;
}

export async function totalLines(source: StoredSource): Promise<number> {
  const { bytes } = source.info;
  const ended = bytes === 0 || (await source.read(bytes - 1, bytes)) === '\n';
  return (await countLines(source, bytes)) + (ended ? 0 : 1);
}

/** Where a line begins, 1-based; null behind the last one. */
export async function offsetOfLine(line: number, source: StoredSource): Promise<number | null> {
  let missing = line - 1;
  for (let at = 0; missing > 0 && at < source.info.bytes; at += blockBytes) {
    const block = await source.read(at, Math.min(source.info.bytes, at + blockBytes));
    for (let found = block.indexOf('\n'); found !== -1; found = block.indexOf('\n', found + 1)) {
      missing -= 1;
      if (missing === 0) return at + found + 1;
    }
  }
  return missing > 0 ? null : 0;
}

function newlines(text: string): number {
  let count = 0;
  for (let found = text.indexOf('\n'); found !== -1; found = text.indexOf('\n', found + 1)) count += 1;
  return count;
}

/** A line, or a stretch of one that is too long to be held; stretches of one line overlap. */
export type LinePart = { text: string; line: number; offset: number; isStart: boolean; isEnd: boolean };

/** All lines in order, in parts of at most `partBytes`, whatever the length of a line. */
export async function* lineParts(
  source: StoredSource,
  { partBytes, overlapBytes }: { partBytes: number; overlapBytes: number },
): AsyncGenerator<LinePart> {
  const { bytes } = source.info;
  let carry = '';
  let line = 1;
  let offset = 0;
  let isStart = true;
  for (let at = 0; at < bytes; at += blockBytes) {
    carry += await source.read(at, Math.min(bytes, at + blockBytes));
    for (;;) {
      const newline = carry.indexOf('\n');
      const known = newline === -1 ? carry.length : newline;
      if (known > partBytes) {
        yield { text: carry.slice(0, partBytes), line, offset, isStart, isEnd: false };
        carry = carry.slice(partBytes - overlapBytes);
        offset += partBytes - overlapBytes;
        isStart = false;
        continue;
      }
      if (newline === -1) break;
      yield { text: carry.slice(0, newline), line, offset, isStart, isEnd: true };
      carry = carry.slice(newline + 1);
      offset += newline + 1;
      line += 1;
      isStart = true;
    }
  }
  if (carry !== '') yield { text: carry, line, offset, isStart, isEnd: true };
}

/** Gives half a character at the end to the next page. */
export function wholeCharacters(text: string, isEnd: boolean): string {
  if (isEnd) return text;
  const half = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/.exec(text);
  return half && half.index > 0 ? text.slice(0, half.index) : text;
}

/** Latin1 bytes as text a model can read. */
export function shownText(latin1: string): string {
  const cleaner = createCleaner();
  const pieces = [...cleaner.push(latin1), ...cleaner.finish()];
  return Buffer.from(pieces.map((piece) => piece.shown).join(''), 'latin1').toString('utf8');
}

/** The line that names the next step, ready to be copied. */
export function nextStep(source: StoredSource, changes: Record<string, string | number>): string {
  return `next: retrieve_tool_result ${JSON.stringify({ ref: source.info.ref, ...changes })}`;
}
