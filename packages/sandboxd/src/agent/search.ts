import { posix } from 'node:path';
import { AgentError } from '../agent-error.ts';
import type { FileInfo, FindRequest, FindResult, ListRequest, ListResult } from '../operations.ts';
import { lstatInside, type Root, resolveReal, toRelative } from './confine.ts';
import { describeFile, describeLink } from './files.ts';
import { editDistance, fuzzyScore } from './fuzzy.ts';
import { pathMatcher } from './glob.ts';
import { type Entry, walk } from './walk.ts';

const anyDepth = 64;
const nearestEntries = 50_000;
const nearestCount = 3;

/** Folder to walk, with links to folders inside resolved. @throws AgentError not_found, not_directory */
function startFolder(root: Root, path: string): string {
  const relative = toRelative(root, path);
  const real = posix.relative(root.path, resolveReal(root, relative)) || '.';
  if (!lstatInside(root, real)?.isDirectory())
    throw new AgentError('not_directory', `"${relative}" is no folder.`, {
      next: `Call read_file with path "${relative}".`,
    });
  return real;
}

export async function listFolder(root: Root, request: ListRequest, signal: AbortSignal): Promise<ListResult> {
  const result: ListResult = { entries: [], hidden: 0, stopped: false };
  const options = {
    all: request.all,
    depth: request.depth,
    onHidden: () => {
      result.hidden += 1;
    },
  };
  for await (const entry of walk(root, startFolder(root, request.path), options, signal)) {
    if (result.entries.length >= request.limit) {
      result.stopped = true;
      break;
    }
    const info = describeEntry(root, entry);
    if (info) result.entries.push(info);
  }
  return result;
}

/** Null for an entry that is gone by now, or became something else meanwhile. */
function describeEntry(root: Root, entry: Entry): FileInfo | null {
  const stats = lstatInside(root, entry.path);
  if (stats === null) return null;
  if (!stats.isSymbolicLink()) return describeFile(entry.path, stats);
  try {
    return describeLink(root, entry.path, stats);
  } catch (error) {
    if (error instanceof AgentError && (error.code === 'conflict' || error.code === 'not_found')) return null;
    throw error;
  }
}

export async function findFiles(root: Root, request: FindRequest, signal: AbortSignal): Promise<FindResult> {
  const score = scorer(request);
  const start = startFolder(root, request.path);
  const extensions = new Set(request.extensions.map((one) => one.replace(/^\./, '').toLowerCase()));
  const found: { entry: Entry; score: number }[] = [];
  for await (const entry of walk(root, start, { all: request.all, depth: anyDepth }, signal)) {
    if (!isWanted(entry, request.kind) || (extensions.size > 0 && !extensions.has(extensionOf(entry.name)))) continue;
    const points = score(entry, start);
    if (points > 0) found.push({ entry, score: points });
  }
  return { hits: order(root, found, request), total: found.length };
}

function isWanted(entry: Entry, kind: FindRequest['kind']): boolean {
  if (kind === 'any') return true;
  return kind === 'directory' ? entry.kind === 'directory' : entry.kind !== 'directory';
}

function extensionOf(name: string): string {
  return posix.extname(name).slice(1).toLowerCase();
}

function scorer(request: FindRequest): (entry: Entry, start: string) => number {
  if ((request.pattern === undefined) === (request.query === undefined))
    throw new AgentError('invalid_input', 'Give exactly one of pattern and query.');
  if (request.query !== undefined) {
    const query = request.query;
    return (entry) => fuzzyScore(query, entry.path, entry.name);
  }
  const matches = pathMatcher(request.pattern ?? '');
  return (entry, start) => {
    const below = start === '.' ? entry.path : entry.path.slice(start.length + 1);
    return matches(entry.path, entry.name) || matches(below, entry.name) ? 1 : 0;
  };
}

function order(root: Root, found: { entry: Entry; score: number }[], request: FindRequest): FindResult['hits'] {
  const byPath = (one: { entry: Entry }, other: { entry: Entry }) =>
    Buffer.compare(Buffer.from(one.entry.path), Buffer.from(other.entry.path));
  if (request.sort !== 'mtime') {
    const sorted = found.sort(
      (one, other) => (request.sort === 'score' ? other.score - one.score : 0) || byPath(one, other),
    );
    return sorted.slice(0, request.limit).flatMap(({ entry, score }) => withInfo(root, entry, score));
  }
  const dated = found.sort(byPath).flatMap(({ entry, score }) => withInfo(root, entry, score));
  return dated.sort((one, other) => other.mtimeMs - one.mtimeMs).slice(0, request.limit);
}

function withInfo(root: Root, entry: Entry, score: number): FindResult['hits'] {
  const info = describeEntry(root, entry);
  return info ? [{ ...info, score }] : [];
}

/** Up to three existing paths that look like this one: same name elsewhere, or few letters apart. */
export async function nearestPaths(root: Root, path: string, signal: AbortSignal): Promise<string[]> {
  const wanted = posix.normalize(path.replace(/^\/workspace\/?/, '').replace(/^\/+/, ''));
  const name = posix.basename(wanted);
  const candidates: { path: string; distance: number }[] = [];
  let seen = 0;
  for await (const entry of walk(root, '.', { all: false, depth: anyDepth }, signal)) {
    seen += 1;
    if (seen > nearestEntries) break;
    const distance = distanceTo(entry, wanted, name);
    if (distance !== null) candidates.push({ path: entry.path, distance });
  }
  candidates.sort((one, other) => one.distance - other.distance || (one.path < other.path ? -1 : 1));
  return candidates.slice(0, nearestCount).map((candidate) => candidate.path);
}

function distanceTo(entry: Entry, wanted: string, name: string): number | null {
  const apart = editDistance(entry.name.toLowerCase(), name.toLowerCase());
  const limit = Math.max(2, Math.floor(name.length / 3));
  if (apart > limit) return null;
  return (
    apart + (posix.dirname(entry.path) === posix.dirname(wanted) ? 0 : 0.5) + (entry.kind === 'directory' ? 0.25 : 0)
  );
}
