import { createHash } from 'node:crypto';
import type { FileInfo, FileWriter, Seen, Shell } from '../contract/ports.ts';
import { ToolError } from '../errors.ts';

/** Files in memory by workspace-relative path; search answers what plain text search finds. */
export function fakeFiles(initial: Record<string, string> = {}): FileWriter & { contents: Map<string, string> } {
  const contents = new Map(Object.entries(initial));
  const seen = new Map<string, Seen>();
  const text = (path: string): string => {
    const found = contents.get(path);
    if (found === undefined) throw new ToolError('not_found', `There is no file ${path}.`);
    return found;
  };
  const info = (path: string): FileInfo => ({
    path,
    kind: 'file',
    sizeBytes: Buffer.byteLength(text(path)),
    mtimeMs: 0,
    mode: 0o644,
  });
  const below = (path: string) =>
    [...contents.keys()].filter((one) => path === '.' || path === '' || one.startsWith(`${path}/`)).sort();
  return {
    contents,
    stat: async (path) => info(path),
    read: async (path, window) => {
      const bytes = Buffer.from(text(path));
      const offset = window?.offset ?? 0;
      const part = bytes.subarray(offset, window ? offset + window.length : undefined);
      return { path, bytes: part, offset, sizeBytes: bytes.length, sha256: sha256(text(path)) };
    },
    readLines: async (path, { from, maxLines }) => {
      const all = text(path).replace(/\n$/, '').split('\n');
      const lines = all.slice(from - 1, from - 1 + maxLines);
      const to = from + lines.length - 1;
      return {
        path,
        lines,
        from,
        to,
        totalLines: all.length,
        sizeBytes: Buffer.byteLength(text(path)),
        sha256: sha256(text(path)),
        encoding: 'utf-8',
        eol: 'lf',
      };
    },
    list: async ({ path, limit }) => ({
      entries: below(path).slice(0, limit).map(info),
      hidden: 0,
      stopped: below(path).length > limit,
    }),
    grep: async ({ pattern, path, limit }) => {
      const lines = below(path).flatMap((file) =>
        linesWith(text(file), pattern).map((hit) => ({ ...hit, path: file, match: true })),
      );
      const matched = [...new Set(lines.map((hit) => hit.path))];
      const files = matched.map((file) => ({
        path: file,
        count: lines.filter((hit) => hit.path === file).length,
        mtimeMs: 0,
      }));
      return {
        lines: lines.slice(0, limit),
        files,
        matches: lines.length,
        matchesExact: true,
        filesMatched: files.length,
        skipped: 0,
      };
    },
    find: async ({ path, query = '', limit }) => {
      const hits = below(path)
        .filter((file) => file.includes(query))
        .map((file) => ({ ...info(file), score: 1 }));
      return { hits: hits.slice(0, limit), total: hits.length };
    },
    nearest: async (path) =>
      [...contents.keys()].filter((one) => one.endsWith(path.split('/').at(-1) ?? path)).slice(0, 3),
    seen: async (path) => seen.get(path) ?? null,
    markSeen: async (path, what) => void seen.set(path, what),
    write: async (path, bytes, { expectedSha256 }) => {
      const before = contents.get(path);
      if (before === undefined ? expectedSha256 !== null : expectedSha256 === null)
        throw new ToolError('conflict', `${path} is not what was expected.`);
      if (before !== undefined && sha256(before) !== expectedSha256)
        throw new ToolError('stale_file', `${path} changed.`);
      contents.set(path, Buffer.from(bytes).toString());
      return { path, sha256: sha256(contents.get(path) ?? ''), created: before === undefined };
    },
  };
}

/** A shell that answers each command with what `answer` says and keeps what it was asked. */
export function fakeShell(
  answer: (command: string) => { exitCode?: number; stdout?: string; stderr?: string } = () => ({}),
): Shell & { commands: string[] } {
  const commands: string[] = [];
  const stream = <Name extends 'stdout' | 'stderr'>(name: Name, text = '') => ({
    name,
    bytes: Buffer.byteLength(text),
    async *read() {
      yield Buffer.from(text);
    },
  });
  const gone = (processId: string) => new ToolError('not_found', `No command ${processId} runs.`);
  return {
    commands,
    run: async ({ command, cwd = '.' }) => {
      commands.push(command);
      const { exitCode = 0, stdout, stderr } = answer(command);
      const streams = { stdout: stream('stdout', stdout), stderr: stream('stderr', stderr) };
      return {
        processId: `p_${commands.length}`,
        state: 'exited',
        exitCode,
        signal: null,
        durationMs: 1,
        cwd,
        ...streams,
        droppedBytes: 0,
        listeningPorts: [],
      };
    },
    list: async () => [],
    poll: async ({ processId }) => Promise.reject(gone(processId)),
    stop: async (processId) => Promise.reject(gone(processId)),
    owns: () => false,
    whole: () => null,
  };
}

function linesWith(text: string, pattern: string): { line: number; text: string }[] {
  return text.split('\n').flatMap((line, index) => (line.includes(pattern) ? [{ line: index + 1, text: line }] : []));
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
