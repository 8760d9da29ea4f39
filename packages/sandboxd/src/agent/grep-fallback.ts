import { closeSync, constants, fstatSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { AgentError } from '../agent-error.ts';
import type { GrepRequest, GrepResult } from '../operations.ts';
import { lstatInside, openInside, type Root, resolveReal, toRelative } from './confine.ts';
import { pathMatcher } from './glob.ts';
import { badPattern } from './grep.ts';
import { GrepCollector, matchLimit, sizeLimitBytes } from './grep-collector.ts';
import { decodeText, detectEncoding, splitLines } from './text.ts';
import { walk } from './walk.ts';

const anyDepth = 64;

/** The same search without ripgrep, in this process. @throws AgentError invalid_input, not_found */
export async function grepInProcess(root: Root, request: GrepRequest, signal: AbortSignal): Promise<GrepResult> {
  const start = posix.relative(root.path, resolveReal(root, toRelative(root, request.path))) || '.';
  const expression = compile(request);
  const wanted = globFilter(request.globs);
  const collector = new GrepCollector(root, request);
  const search = (path: string) => {
    const text = readText(root, path, collector);
    if (text === null) return;
    collector.begin(path);
    if (request.multiline) searchWhole(text, expression, collector);
    else searchLines(text, expression, collector, request.context);
    collector.end(false);
  };
  if (!lstatInside(root, start)?.isDirectory()) {
    search(start);
    return collector.result();
  }
  for await (const entry of walk(root, start, { all: request.all, depth: anyDepth }, signal)) {
    if (entry.kind === 'file' && wanted(entry.path, entry.name)) search(entry.path);
    if (collector.matches >= matchLimit) break;
  }
  return collector.result();
}

function compile(request: GrepRequest): RegExp {
  const source = request.fixed ? request.pattern.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&') : request.pattern;
  try {
    return new RegExp(source, `g${request.ignoreCase ? 'i' : ''}${request.multiline ? 'm' : ''}`);
  } catch (cause) {
    throw badPattern(request, cause instanceof Error ? cause.message : String(cause));
  }
}

function globFilter(globs: readonly string[]): (path: string, name: string) => boolean {
  const include = globs.filter((glob) => !glob.startsWith('!')).map(pathMatcher);
  const exclude = globs.filter((glob) => glob.startsWith('!')).map((glob) => pathMatcher(glob.slice(1)));
  return (path, name) =>
    (include.length === 0 || include.some((matches) => matches(path, name))) &&
    !exclude.some((matches) => matches(path, name));
}

function readText(root: Root, path: string, collector: GrepCollector): string | null {
  let fd: number;
  try {
    fd = openInside(root, path, constants.O_RDONLY);
  } catch (error) {
    // Gone or closed to us by now: as ripgrep does, the search goes on without it.
    if (error instanceof AgentError) return null;
    throw error;
  }
  try {
    const stats = fstatSync(fd);
    const bytes = stats.isFile() && stats.size <= sizeLimitBytes ? readFileSync(fd) : null;
    const encoding = bytes === null ? null : detectEncoding(bytes);
    if (bytes !== null && encoding !== null && !bytes.includes(0)) return decodeText(bytes, encoding);
    collector.skip();
    return null;
  } finally {
    closeSync(fd);
  }
}

function searchLines(text: string, expression: RegExp, collector: GrepCollector, context: number): void {
  const lines = splitLines(text);
  const found = lines.map((line) => {
    expression.lastIndex = 0;
    return expression.exec(line)?.index ?? -1;
  });
  const near = (at: number) => found.slice(Math.max(0, at - context), at + context + 1).some((index) => index >= 0);
  for (const [at, line] of lines.entries()) {
    const index = found[at] ?? -1;
    if (index >= 0) collector.line(at + 1, line, true, index);
    else if (context > 0 && near(at)) collector.line(at + 1, line, false, 0);
  }
}

function searchWhole(text: string, expression: RegExp, collector: GrepCollector): void {
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(expression)) {
    const start = text.lastIndexOf('\n', match.index - 1) + 1;
    const stop = text.indexOf('\n', match.index + match[0].length);
    line += text.slice(counted, start).split('\n').length - 1;
    counted = start;
    collector.line(line, text.slice(start, stop === -1 ? undefined : stop), true, match.index - start);
    if (collector.matches >= matchLimit) return;
  }
}
