import { linkSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { AgentError } from '../agent-error.ts';
import { holdParent, lstatInside, makeParents, type Root, toFileError, toRelative } from './confine.ts';

/** Creates a folder and its parents; one that exists is fine. */
export function makeFolder(root: Root, path: string): void {
  const relative = toRelative(root, path);
  if (relative === '.') return;
  makeParents(root, relative);
  const place = holdParent(root, relative);
  try {
    mkdirSync(place.path);
  } catch (error) {
    if (!lstatInside(root, relative)?.isDirectory()) throw toFileError(error, relative);
  } finally {
    place.close();
  }
}

/** Removes a file, a link (never what it points to) or, with `recursive`, a folder. */
export function removePath(root: Root, path: string, recursive: boolean): { files: number } {
  const relative = toRelative(root, path);
  if (relative === '.' || relative === '.git')
    throw new AgentError('denied_by_policy', `"${relative}" is not removed by file tools.`);
  const stats = lstatInside(root, relative);
  if (stats === null) throw new AgentError('not_found', `"${relative}" does not exist.`);
  const files = stats.isDirectory() ? countFiles(root, relative) : 1;
  if (stats.isDirectory() && !recursive) {
    throw new AgentError('is_directory', `"${relative}" is a folder with ${files} files.`, {
      next: 'Set recursive to remove all of it.',
      data: { files },
    });
  }
  removeTree(root, relative, stats.isDirectory());
  return { files };
}

/** Level by level through held folders, so that a link put in the way is removed, not followed. */
function removeTree(root: Root, relative: string, directory: boolean): void {
  if (directory) {
    for (const entry of entriesOf(root, relative))
      removeTree(root, posix.join(relative, entry.name), entry.isDirectory());
  }
  const place = holdParent(root, relative);
  try {
    if (directory) rmdirSync(place.path);
    else unlinkSync(place.path);
  } catch (error) {
    throw toFileError(error, relative);
  } finally {
    place.close();
  }
}

function entriesOf(root: Root, relative: string) {
  const place = holdParent(root, posix.join(relative, 'x'));
  try {
    return readdirSync(place.parent, { withFileTypes: true });
  } finally {
    place.close();
  }
}

function countFiles(root: Root, relative: string): number {
  let files = 0;
  for (const entry of entriesOf(root, relative))
    files += entry.isDirectory() ? countFiles(root, posix.join(relative, entry.name)) : 1;
  return files;
}

/** Moves within the workspace; links move as links. */
export function movePath(root: Root, from: string, to: string, overwrite: boolean): void {
  const source = toRelative(root, from);
  const target = toRelative(root, to);
  if (source === '.git' || target === '.git')
    throw new AgentError('denied_by_policy', '".git" is not moved by file tools.');
  const stats = lstatInside(root, source);
  if (stats === null) throw new AgentError('not_found', `"${source}" does not exist.`);
  if (target === source || target.startsWith(`${source}/`))
    throw new AgentError('invalid_input', `"${source}" cannot be moved into itself.`);
  makeParents(root, target);
  const existing = lstatInside(root, target);
  if (existing !== null && !overwrite)
    throw new AgentError('conflict', `"${target}" exists already.`, {
      next: 'Set overwrite, or choose another target.',
    });
  if (existing?.isDirectory()) throw new AgentError('is_directory', `"${target}" is a folder.`);
  const origin = holdParent(root, source);
  try {
    const goal = holdParent(root, target);
    try {
      renameExclusive(origin.path, goal.path, existing === null && stats.isFile());
    } finally {
      goal.close();
    }
  } catch (error) {
    throw toFileError(error, target);
  } finally {
    origin.close();
  }
}

/** A rename replaces silently; a link does not, so a file that appeared meanwhile is kept. */
function renameExclusive(from: string, to: string, exclusive: boolean): void {
  if (!exclusive) {
    renameSync(from, to);
    return;
  }
  linkSync(from, to);
  unlinkSync(from);
}
