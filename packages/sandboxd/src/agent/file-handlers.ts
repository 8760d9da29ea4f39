import { AgentError } from '../agent-error.ts';
import { collectBytes } from '../byte-queue.ts';
import type { Root } from './confine.ts';
import { fileLimitBytes, readFile, readLines, statFile, writeFile } from './files.ts';
import { makeFolder, movePath, removePath } from './manage.ts';
import { findFiles, listFolder, nearestPaths } from './search.ts';
import type { Handlers } from './serve.ts';
import type { CallContext } from './server-call.ts';

export type FileHandlers = Omit<Pick<Handlers, Extract<keyof Handlers, `files.${string}`>>, 'files.grep'>;

/** File operations below one root; the same on every engine. */
export function createFileHandlers(root: Root): FileHandlers {
  return {
    'files.stat': async ({ path }) => statFile(root, path),
    'files.read': async ({ path, offset, length }, call) => {
      const { bytes, ...report } = readFile(root, path, offset, length);
      await call.write(bytes);
      return report;
    },
    'files.readLines': async ({ path, ...window }) => readLines(root, path, window),
    'files.list': (request, call) => listFolder(root, request, call.signal),
    'files.find': (request, call) => findFiles(root, request, call.signal),
    'files.nearest': ({ path }, call) => nearestPaths(root, path, call.signal),
    'files.write': async ({ path, sizeBytes, expectedSha256 }, call) =>
      writeFile(root, path, await readInput(call, sizeBytes), expectedSha256),
    'files.mkdir': async ({ path }) => {
      makeFolder(root, path);
      return {};
    },
    'files.remove': async ({ path, recursive }) => removePath(root, path, recursive),
    'files.move': async ({ from, to, overwrite }) => {
      movePath(root, from, to, overwrite);
      return {};
    },
  };
}

async function readInput(call: CallContext, sizeBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new AgentError('too_large', `A file of more than ${fileLimitBytes} bytes cannot be written at once.`);
  if (sizeBytes > fileLimitBytes) throw tooLarge();
  const bytes = await collectBytes(call.input, fileLimitBytes, tooLarge);
  if (bytes.length !== sizeBytes)
    throw new AgentError('invalid_input', `${sizeBytes} bytes were announced and ${bytes.length} came.`);
  return bytes;
}
