import { closeSync, constants, fstatSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AgentError } from '../agent-error.ts';
import { holdParent, lstatInside, openInside, type Root, toFileError } from './confine.ts';
import { type IgnoreRules, ignoreFiles, isIgnored, parseIgnore } from './ignore-rules.ts';

export type Entry = { path: string; name: string; kind: 'file' | 'directory' | 'link' | 'other'; depth: number };
export type WalkOptions = { /** Include what is hidden or ignored. */ all: boolean; depth: number; onHidden?(): void };
type Frame = { entries: Entry[]; next: number; rules: IgnoreRules[] };

/** Between so many entries other requests get their turn. */
const turnEntries = 500;
const ignoreLimitBytes = 1_048_576;

/**
 * Everything below a folder, depth first, folders before files, in byte order. Links are named, never entered.
 * @throws AgentError not_found, not_directory, outside_workspace
 */
export async function* walk(
  root: Root,
  start: string,
  options: WalkOptions,
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  const stack = [openFrame(root, start, 1, options.all ? [] : rulesAbove(root, start))];
  let seen = 0;
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const entry = frame.entries[frame.next++];
    if (!entry) {
      stack.pop();
      continue;
    }
    seen += 1;
    if (seen % turnEntries === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
    if (!options.all && isHidden(frame, entry)) {
      options.onHidden?.();
      continue;
    }
    yield entry;
    if (entry.kind !== 'directory' || entry.depth >= options.depth) continue;
    const below = openBelow(root, entry, frame);
    if (below) stack.push(below);
  }
}

function isHidden(frame: Frame, entry: Entry): boolean {
  return entry.name.startsWith('.') || isIgnored(frame.rules, entry.path, entry.kind === 'directory');
}

/** A folder that vanished or cannot be read ends the walk there, not everywhere. */
function openBelow(root: Root, entry: Entry, frame: Frame): Frame | null {
  try {
    return openFrame(root, entry.path, entry.depth + 1, frame.rules);
  } catch (error) {
    if (error instanceof AgentError && error.code !== 'internal') return null;
    throw error;
  }
}

function openFrame(root: Root, path: string, depth: number, above: IgnoreRules[]): Frame {
  const place = holdParent(root, posix.join(path, 'entry'));
  try {
    const found = readdirSync(place.parent, { withFileTypes: true });
    const names = new Set(found.map(({ name }) => name));
    const entries = found.map((item): Entry => {
      const kind = item.isDirectory() ? 'directory' : item.isFile() ? 'file' : item.isSymbolicLink() ? 'link' : 'other';
      return { path: path === '.' ? item.name : `${path}/${item.name}`, name: item.name, kind, depth };
    });
    return { entries: entries.sort(inOrder), next: 0, rules: [...above, ...rulesOf(root, path, names)] };
  } catch (error) {
    throw toFileError(error, path);
  } finally {
    place.close();
  }
}

function inOrder(one: Entry, other: Entry): number {
  if ((one.kind === 'directory') !== (other.kind === 'directory')) return one.kind === 'directory' ? -1 : 1;
  return Buffer.compare(Buffer.from(one.name), Buffer.from(other.name));
}

function rulesAbove(root: Root, start: string): IgnoreRules[] {
  if (start === '.') return [];
  const parts = start.split('/');
  const folders = ['.', ...parts.slice(0, -1).map((_part, index) => parts.slice(0, index + 1).join('/'))];
  return folders.flatMap((folder) => rulesOf(root, folder, null));
}

function rulesOf(root: Root, folder: string, names: ReadonlySet<string> | null): IgnoreRules[] {
  const base = folder === '.' ? '' : folder;
  return ignoreFiles.flatMap((name) => {
    if (names && !names.has(name)) return [];
    const text = readSmall(root, base === '' ? name : `${base}/${name}`);
    return text === null ? [] : [parseIgnore(text, base)];
  });
}

function readSmall(root: Root, path: string): string | null {
  if (!lstatInside(root, path)?.isFile()) return null;
  const fd = openInside(root, path, constants.O_RDONLY);
  try {
    return fstatSync(fd).size > ignoreLimitBytes ? null : readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
