import type { EnvelopeStore, Summaries } from '../contract/ports.ts';
import { ToolError } from '../errors.ts';
import { readStoredJson } from './read-stored-json.ts';
import type { PlainOutput } from './render-result.ts';
import { createRescuer } from './rescue-lines.ts';
import { planSearch, searchLines } from './search-lines.ts';
import {
  countLines,
  lineParts,
  nextStep,
  offsetOfLine,
  openStored,
  type StoredSource,
  shownText,
  totalLines,
  wholeCharacters,
} from './stored-source.ts';

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
/** Of a stored output a summary reads at most this much, from both ends. */
const summaryBytes = 400_000;

/**
 * The part of a stored output that was asked for; the ref alone brings what was cut away, from its first byte.
 * @throws ToolError not_found, invalid_input, too_large
 */
export async function retrieveOutput(
  request: RetrieveRequest,
  store: EnvelopeStore,
  summaries: Summaries | null = null,
): Promise<PlainOutput> {
  const source = await openStored(request.ref, store);
  const output = await readMode(request, source, summaries);
  return source.info.untrusted ? { ...output, origin: source.info.origin } : output;
}

function readMode(request: RetrieveRequest, source: StoredSource, summaries: Summaries | null): Promise<PlainOutput> {
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
      return readStoredJson(request.path ?? '$', pageBytes, source);
    case 'info':
      return describe(source);
    case 'summary':
      return summarize(source, summaries);
    default:
      return request.startLine === undefined
        ? readFromCut(request, source)
        : readLines(request.startLine, request.maxLines ?? 200, source);
  }
}

/** The pointer as it stands: lines where the cut fell between two, else bytes, so that nothing is shown twice or lost. */
async function readFromCut(request: RetrieveRequest, source: StoredSource): Promise<PlainOutput> {
  const offset = request.offset ?? source.info.cutOffset ?? 0;
  if (offset >= source.info.bytes && source.info.bytes > 0) return readBytes(offset, source);
  if (offset > 0 && (await source.read(offset - 1, offset)) !== '\n') return readBytes(offset, source);
  return linesFrom(offset, (await countLines(source, offset)) + 1, request.maxLines ?? 200, source);
}

async function readLines(startLine: number, maxLines: number, source: StoredSource): Promise<PlainOutput> {
  const offset = await offsetOfLine(startLine, source);
  if (offset !== null && offset < source.info.bytes) return linesFrom(offset, startLine, maxLines, source);
  if (source.info.bytes === 0) return { content: 'The stored output is empty.' };
  const total = await totalLines(source);
  return {
    content: `No lines at start_line ${startLine}: the output has ${total} lines, ${source.info.bytes} bytes.`,
    footer: nextStep(source, { mode: 'tail' }),
  };
}

async function linesFrom(
  offset: number,
  firstLine: number,
  maxLines: number,
  source: StoredSource,
): Promise<PlainOutput> {
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
    ...(offset + at < source.info.bytes
      ? { footer: nextStep(source, { mode: 'lines', start_line: lastLine + 1 }) }
      : {}),
  };
}

async function readBytes(offset: number, source: StoredSource): Promise<PlainOutput> {
  const { bytes, ref } = source.info;
  if (offset >= bytes) {
    return {
      content: `No bytes at offset ${offset}: the output has ${bytes} bytes.`,
      footer: nextStep(source, { mode: 'tail' }),
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
      end < bytes ? nextStep(source, { mode: 'bytes', offset: end }) : `bytes ${offset} to ${end} of ${bytes}, the end`,
  };
}

async function readTail(maxLines: number, source: StoredSource): Promise<PlainOutput> {
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

async function search(request: RetrieveRequest, source: StoredSource): Promise<PlainOutput> {
  const { pattern, ignoreCase = false, context = 1, limit = 20 } = request;
  if (pattern === undefined || pattern === '')
    throw new ToolError('invalid_input', 'mode search needs a pattern.', { next: 'Set pattern, e.g. "error".' });
  const plan = planSearch({ pattern, ignoreCase });
  const options = { pattern, ignoreCase, context, limit, limitBytes: pageBytes - 500 };
  const hits = await searchLines(lineParts(source, plan), plan, options);
  const next =
    hits.nextOffset !== null
      ? nextStep(source, { mode: 'bytes', offset: hits.nextOffset })
      : hits.nextLine === null
        ? null
        : nextStep(source, { mode: 'lines', start_line: hits.nextLine });
  const remarks = [
    next === null ? `${hits.matches} matches` : `${hits.matches} matches shown, not all was searched`,
    ...(hits.long ? ['a hit in a long line is named line@byte: read on with mode bytes and that offset'] : []),
    ...(hits.split ? [`lines over ${plan.partBytes} bytes were searched in stretches`] : []),
    ...(next === null ? [] : [next]),
  ];
  const none = `No line matches ${JSON.stringify(pattern)} in ${source.info.bytes} bytes.`;
  return {
    content: hits.matches === 0 ? none : shownText(hits.lines.join('\n')),
    data: { ref: source.info.ref, mode: 'search', matches: hits.matches },
    footer: remarks.join('; '),
  };
}

/** A model's words where the organization has one for this; else what an eye would look for: size, ends, lines that stand out. */
async function summarize(source: StoredSource, summaries: Summaries | null): Promise<PlainOutput> {
  const { info } = source;
  const half = summaryBytes / 2;
  const text =
    info.bytes <= summaryBytes
      ? await source.read(0, info.bytes)
      : `${await source.read(0, half)}\n[...]\n${await source.read(info.bytes - half, info.bytes)}`;
  const summary = await summaries?.summarize({ text: shownText(text), tool: info.tool, bytes: info.bytes });
  const next = nextStep(source, { mode: 'lines', start_line: 1 });
  if (summary?.kind === 'summary')
    return { content: `${summary.label}\n${summary.text}`, data: { ref: info.ref, mode: 'summary' }, footer: next };
  const rescuer = createRescuer();
  for await (const part of lineParts(source, { partBytes: 16_384, overlapBytes: 0 })) rescuer.push(`${part.text}\n`);
  const lines = rescuer.finish({ from: 0, to: Number.MAX_SAFE_INTEGER, room: 8_000 });
  const plain = await describe(source);
  return {
    content: [plain.content, ...(lines.length > 0 ? ['lines that stand out:', ...lines.map(shownText)] : [])].join(
      '\n',
    ),
    data: { ref: info.ref, mode: 'summary' },
    footer: next,
    warnings: summary ? [`No model summarized it: ${summary.reason}`] : [],
  };
}

async function describe(source: StoredSource): Promise<PlainOutput> {
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
    content: [
      `${info.ref} · ${info.bytes} bytes · ${await totalLines(source)} lines · by ${info.tool} · sha256 ${info.sha256}`,
      'first lines:',
      ...first.map(shownText),
      'last lines:',
      ...last.map(shownText),
    ].join('\n'),
    data: { ref: info.ref, mode: 'info', bytes: info.bytes, sha256: info.sha256 },
  };
}
