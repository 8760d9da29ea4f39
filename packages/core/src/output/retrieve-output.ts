import type { JsonValue } from '../contract/json.ts';
import type { EnvelopeInfo, EnvelopeStore } from '../contract/ports.ts';
import { ToolError } from '../errors.ts';
import { createCleaner } from './clean-output.ts';
import { readJsonPath } from './read-json-path.ts';
import type { PlainOutput } from './render-result.ts';
import { searchLines } from './search-lines.ts';

export type RetrieveMode = 'lines' | 'head' | 'tail' | 'bytes' | 'search' | 'summary' | 'json' | 'info';
/** Offsets are bytes from 0, lines count from 1. */
export type RetrieveRequest = {
  ref: string;
  mode?: RetrieveMode | undefined;
  startLine?: number | undefined;
  offset?: number | undefined;
  maxLines?: number | undefined;
  pattern?: string | undefined;
  ignoreCase?: boolean | undefined;
  context?: number | undefined;
  limit?: number | undefined;
  path?: string | undefined;
};

/** Source: tools.md 51. */
export const pageBytes = 24_000;
const blockBytes = 256 * 1024;
const jsonCap = 8 * 1024 * 1024;

type Source = { info: EnvelopeInfo; read(start: number, end: number): Promise<string> };

/**
 * The part of a stored output that was asked for; the ref alone brings what was cut away, from its first byte.
 * @throws ToolError not_found, invalid_input, unavailable
 */
export async function retrieveOutput(request: RetrieveRequest, store: EnvelopeStore): Promise<PlainOutput> {
  const info = await store.info(request.ref);
  if (!info) throw await unknownRef(request.ref, store);
  const source: Source = {
    info,
    read: async (start, end) => Buffer.from(await store.read(request.ref, start, end)).toString('latin1'),
  };
  const output = await readMode(request, source);
  return info.untrusted ? { ...output, origin: info.origin } : output;
}

function readMode(request: RetrieveRequest, source: Source): Promise<PlainOutput> {
  const { info } = source;
  switch (request.mode ?? 'lines') {
    case 'bytes':
      return readBytes(request.offset ?? info.cutOffset ?? 0, source);
    case 'head':
      return readLines(1, request.maxLines ?? 200, source);
    case 'tail':
      return readTail(request.maxLines ?? 200, source);
    case 'search':
      return search(request, source);
    case 'json':
      return readJson(request, source);
    case 'info':
      return describe(source);
    case 'summary':
      throw new ToolError('unavailable', 'No model is set up to summarize stored outputs.', {
        next: `Call retrieve_tool_result with {"ref":"${info.ref}","mode":"search","pattern":"…"} or mode lines.`,
      });
    default:
      return request.startLine === undefined
        ? readFromCut(request, source)
        : readLines(request.startLine, request.maxLines ?? 200, source);
  }
}

/** The pointer as it stands: lines where the cut fell between two, else bytes, so that nothing is shown twice or lost. */
async function readFromCut(request: RetrieveRequest, source: Source): Promise<PlainOutput> {
  const offset = request.offset ?? source.info.cutOffset ?? 0;
  if (offset >= source.info.bytes && source.info.bytes > 0) return readBytes(offset, source);
  if (offset > 0 && (await source.read(offset - 1, offset)) !== '\n') return readBytes(offset, source);
  return linesFrom(offset, (await countLines(source, offset)) + 1, request.maxLines ?? 200, source);
}

async function readLines(startLine: number, maxLines: number, source: Source): Promise<PlainOutput> {
  const offset = await offsetOfLine(startLine, source);
  if (offset !== null && offset < source.info.bytes) return linesFrom(offset, startLine, maxLines, source);
  if (source.info.bytes === 0) return { content: 'The stored output is empty.' };
  const total = await totalLines(source);
  return {
    content: `No lines at start_line ${startLine}: the output has ${total} lines, ${source.info.bytes} bytes.`,
    footer: next(source, { mode: 'tail' }),
  };
}

async function linesFrom(offset: number, firstLine: number, maxLines: number, source: Source): Promise<PlainOutput> {
  const page = await source.read(offset, Math.min(source.info.bytes, offset + pageBytes));
  const atEnd = offset + page.length >= source.info.bytes;
  const shown: string[] = [];
  let at = 0;
  let bytes = 0;
  while (at < page.length && shown.length < maxLines) {
    const newline = page.indexOf('\n', at);
    if (newline === -1 && !atEnd) break;
    const end = newline === -1 ? page.length : newline + 1;
    const line = `${firstLine + shown.length}\t${page.slice(at, newline === -1 ? end : newline)}`;
    if (bytes + line.length + 1 > pageBytes) break;
    bytes += line.length + 1;
    shown.push(line);
    at = end;
  }
  // A line longer than a page has no end in sight: it is read as bytes, every one exactly once.
  if (shown.length === 0) return readBytes(offset, source);
  const lastLine = firstLine + shown.length - 1;
  return {
    content: shownText(shown.join('\n')),
    data: {
      ref: source.info.ref,
      mode: 'lines',
      from: firstLine,
      to: lastLine,
      start: offset,
      end: offset + at,
      bytes: source.info.bytes,
    },
    ...(offset + at < source.info.bytes ? { footer: next(source, { mode: 'lines', start_line: lastLine + 1 }) } : {}),
  };
}

async function readBytes(offset: number, source: Source): Promise<PlainOutput> {
  const { bytes, ref } = source.info;
  if (offset >= bytes) {
    return {
      content: `No bytes at offset ${offset}: the output has ${bytes} bytes.`,
      footer: next(source, { mode: 'tail' }),
    };
  }
  const text = wholeCharacters(
    await source.read(offset, Math.min(bytes, offset + pageBytes)),
    offset + pageBytes >= bytes,
  );
  const end = offset + text.length;
  return {
    content: shownText(text),
    data: { ref, mode: 'bytes', start: offset, end, bytes },
    footer:
      end < bytes ? next(source, { mode: 'bytes', offset: end }) : `bytes ${offset} to ${end} of ${bytes}, the end`,
  };
}

async function readTail(maxLines: number, source: Source): Promise<PlainOutput> {
  const { bytes, ref } = source.info;
  const from = Math.max(0, bytes - pageBytes + 1_000);
  const text = await source.read(from, bytes);
  const lines = text.replace(/\n$/, '').split('\n').slice(-maxLines);
  const kept = lines.join('\n');
  const start = bytes - (text.endsWith('\n') ? 1 : 0) - kept.length;
  return {
    content: shownText(kept.replace(/^[\x80-\xbf]+/, '')),
    data: { ref, mode: 'tail', start, end: bytes, bytes },
    footer: `the last ${bytes - start} of ${bytes} bytes`,
  };
}

async function search(request: RetrieveRequest, source: Source): Promise<PlainOutput> {
  if (request.pattern === undefined || request.pattern === '') {
    throw new ToolError('invalid_input', 'mode search needs a pattern.', { next: 'Set pattern, e.g. "error".' });
  }
  const limit = request.limit ?? 20;
  const hits = await searchLines(lineReader(source), {
    pattern: request.pattern,
    ignoreCase: request.ignoreCase ?? false,
    context: request.context ?? 1,
    limit,
    limitBytes: pageBytes - 500,
  });
  if (hits.matches === 0)
    return { content: `No line matches ${JSON.stringify(request.pattern)} in ${source.info.bytes} bytes.` };
  const more = hits.nextLine === null ? undefined : next(source, { mode: 'lines', start_line: hits.nextLine });
  return {
    content: shownText(hits.lines.join('\n')),
    data: { ref: source.info.ref, mode: 'search', matches: hits.matches },
    footer: more === undefined ? `${hits.matches} matches` : `${hits.matches} matches shown, more follow; ${more}`,
  };
}

async function readJson(request: RetrieveRequest, source: Source): Promise<PlainOutput> {
  const { info } = source;
  if (info.bytes > jsonCap)
    throw new ToolError('too_large', `${info.bytes} bytes are more than the ${jsonCap} that are read as JSON.`);
  const text = shownText(await source.read(0, info.bytes));
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ToolError('invalid_input', 'The stored output is no JSON.', { next: 'Use mode lines or search.', cause });
  }
  const found = readJsonPath(value, request.path ?? '$');
  return {
    content: (JSON.stringify(found, null, 1) ?? 'null').slice(0, pageBytes),
    data: { ref: info.ref, mode: 'json' },
  };
}

async function describe(source: Source): Promise<PlainOutput> {
  const { info } = source;
  const start = await source.read(0, Math.min(info.bytes, 4_000));
  const end = await source.read(Math.max(0, info.bytes - 4_000), info.bytes);
  const first = start
    .split('\n')
    .slice(0, 5)
    .map((line) => line.slice(0, 400));
  const last = end
    .replace(/\n$/, '')
    .split('\n')
    .slice(-5)
    .map((line) => line.slice(0, 400));
  return {
    content: shownText(
      [
        `${info.ref} · ${info.bytes} bytes · ${await totalLines(source)} lines · by ${info.tool} · sha256 ${info.sha256}`,
        'first lines:',
        ...first,
        'last lines:',
        ...last,
      ].join('\n'),
    ),
    data: { ref: info.ref, mode: 'info', bytes: info.bytes, sha256: info.sha256 },
  };
}

async function* lineReader(source: Source): AsyncIterable<string> {
  let carry = '';
  for (let at = 0; at < source.info.bytes; at += blockBytes) {
    const text = carry + (await source.read(at, Math.min(source.info.bytes, at + blockBytes)));
    const lines = text.split('\n');
    carry = lines.pop() ?? '';
    yield* lines;
  }
  if (carry !== '') yield carry;
}

/** Newlines before `until`. */
async function countLines(source: Source, until: number): Promise<number> {
  let count = 0;
  for (let at = 0; at < until; at += blockBytes)
    count += newlines(await source.read(at, Math.min(until, at + blockBytes)));
  return count;
}

async function totalLines(source: Source): Promise<number> {
  const ended = source.info.bytes === 0 || (await source.read(source.info.bytes - 1, source.info.bytes)) === '\n';
  return (await countLines(source, source.info.bytes)) + (ended ? 0 : 1);
}

async function offsetOfLine(line: number, source: Source): Promise<number | null> {
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

/** Gives half a character at the end to the next page. */
function wholeCharacters(text: string, isEnd: boolean): string {
  if (isEnd) return text;
  const half = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/.exec(text);
  return half && half.index > 0 ? text.slice(0, half.index) : text;
}

function shownText(latin1: string): string {
  const cleaner = createCleaner();
  const pieces = [...cleaner.push(latin1), ...cleaner.finish()];
  return Buffer.from(pieces.map((piece) => piece.shown).join(''), 'latin1').toString('utf8');
}

function next(source: Source, changes: Record<string, string | number>): string {
  return `next: retrieve_tool_result ${JSON.stringify({ ref: source.info.ref, ...changes })}`;
}

/** The same words for a ref of another session and for one that never was. */
async function unknownRef(ref: string, store: EnvelopeStore): Promise<ToolError> {
  const newest = await store.newest(5);
  return new ToolError(
    'not_found',
    `No stored output of this session has the ref ${JSON.stringify(ref.slice(0, 80))}.`,
    {
      next:
        newest.length === 0 ? 'Nothing is stored in this session yet.' : `The newest refs are ${newest.join(', ')}.`,
    },
  );
}
