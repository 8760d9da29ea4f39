import { createHash } from 'node:crypto';
import { ToolError } from '@oneslot/core';
import editFile from '../src/files/edit-file.ts';

export type EditRow = {
  id: string;
  content: string;
  oldText: string;
  newText: string;
  replaceAll: boolean;
  expect: 'applied' | 'rejected';
  result: string;
  mayReject?: boolean;
};
/** `exact`: the bytes hoped for. `acceptable`: refused where that is fine. Anything else is a wrong edit. */
export type EditScore = { id: string; kind: 'exact' | 'acceptable' | 'wrong'; detail: string };

/** One edit by the tool itself on a file that the session has read. */
export async function scoreEdit(row: EditRow): Promise<EditScore> {
  const done = await editBytes(row);
  const exact = done.applied === (row.expect === 'applied') && done.content === row.result;
  const acceptable = !done.applied && done.content === row.content && row.mayReject === true;
  const detail = `${done.applied ? 'applied' : 'rejected'}: ${JSON.stringify(done.content).slice(0, 160)}`;
  return { id: row.id, kind: exact ? 'exact' : acceptable ? 'acceptable' : 'wrong', detail };
}

async function editBytes(row: EditRow): Promise<{ applied: boolean; content: string }> {
  const file = oneFile(Buffer.from(row.content));
  try {
    const sent = { path: file.path, old_string: row.oldText, new_string: row.newText, replace_all: row.replaceAll };
    const { input } = editFile.parseInput(sent);
    editFile.validate(input);
    const context = { callId: 'c1', signal: new AbortController().signal, progress: () => undefined };
    await editFile.execute(input, { ...context, files: file.port });
    return { applied: true, content: file.read().toString('utf8') };
  } catch (error) {
    if (error instanceof ToolError) return { applied: false, content: file.read().toString('utf8') };
    throw error;
  }
}

/** The part of the files port that an edit uses, over one file in memory. */
function oneFile(initial: Buffer) {
  const path = 'file';
  let bytes = initial;
  const digest = () => createHash('sha256').update(bytes).digest('hex');
  const totalLines = Math.max(1, initial.toString('utf8').split('\n').length);
  let seen = { sha256: digest(), from: 1, to: totalLines, totalLines };
  const port = {
    read: async () => ({ path, bytes, offset: 0, sizeBytes: bytes.length, sha256: digest() }),
    seen: async () => seen,
    markSeen: async (_: string, now: typeof seen) => {
      seen = now;
    },
    write: async (_: string, next: Uint8Array, options: { expectedSha256: string | null }) => {
      if (options.expectedSha256 !== digest()) throw new ToolError('stale_file', 'The file changed.');
      bytes = Buffer.from(next);
      return { path, sha256: digest(), created: false };
    },
  };
  return { path, port, read: () => bytes };
}
