import { createHash } from 'node:crypto';
import type { EnvelopeStore, EnvelopeWriter } from '@oneslot/core';
import type { EnvelopeRows } from '../store/contract.ts';

/** Big enough that 5 MB are few rows, small enough that memory stays flat. */
const chunkBytes = 256 * 1024;

/** Envelopes of one session: a ref of another session is answered exactly like one that never was. */
export function createEnvelopeStore(
  rows: EnvelopeRows,
  owner: { organizationId: string; sessionId: string },
): EnvelopeStore {
  return {
    open: async (meta) => createWriter(rows, owner, await rows.openEnvelope(owner, meta)),
    info: (ref) => rows.envelopeInfo(owner.sessionId, ref),
    read: (ref, start, end) => rows.readEnvelope(owner.sessionId, ref, start, end),
    newest: (limit) => rows.newestRefs(owner.sessionId, limit),
  };
}

function createWriter(
  rows: EnvelopeRows,
  owner: { organizationId: string; sessionId: string },
  ref: string,
): EnvelopeWriter {
  const hash = createHash('sha256');
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let written = 0;
  let lines = 0;
  let index = 0;
  let lastByte = 10;

  async function flush(): Promise<void> {
    if (waitingBytes === 0) return;
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    await rows.appendChunk({ ref, organizationId: owner.organizationId, index, offset: written, bytes });
    index += 1;
    written += bytes.length;
  }

  return {
    ref,
    async write(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      hash.update(bytes);
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
      lastByte = bytes.at(-1) ?? lastByte;
      waiting.push(Buffer.from(bytes));
      waitingBytes += bytes.length;
      if (waitingBytes >= chunkBytes) await flush();
    },
    async finish(cutOffset) {
      await flush();
      // A last line without line ending counts too.
      const total = lines + (lastByte === 10 ? 0 : 1);
      return rows.finishEnvelope(owner.sessionId, ref, {
        bytes: written,
        lines: total,
        sha256: hash.digest('hex'),
        cutOffset,
      });
    },
    abort: () => rows.abortEnvelope(owner.sessionId, ref),
  };
}
