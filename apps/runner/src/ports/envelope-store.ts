import { createHash } from 'node:crypto';
import type { Clock, EnvelopeMeta, EnvelopeStore, EnvelopeWriter } from '@oneslot/core';
import type { EnvelopeOwner, EnvelopeRows } from '../store/contract.ts';

/** Big enough that 5 MB are few rows, small enough that memory stays flat. */
const chunkBytes = 256 * 1024;

type Writing = { rows: EnvelopeRows; owner: EnvelopeOwner; clock: Pick<Clock, 'now'> };

/** Envelopes of one session: a ref of another session is answered exactly like one that never was. */
export function createEnvelopeStore(
  rows: EnvelopeRows,
  owner: EnvelopeOwner,
  clock: Pick<Clock, 'now'>,
): EnvelopeStore {
  return {
    open: async (meta) => createWriter({ rows, owner, clock }, meta, await rows.openEnvelope(owner, meta)),
    info: (ref) => rows.envelopeInfo(owner.sessionId, ref),
    gone: (ref) => rows.envelopeGone(owner.sessionId, ref),
    read: (ref, start, end) => rows.readEnvelope(owner.sessionId, ref, start, end),
    newest: (limit) => rows.newestRefs(owner.sessionId, limit),
  };
}

function createWriter({ rows, owner, clock }: Writing, meta: EnvelopeMeta, ref: string): EnvelopeWriter {
  const hash = createHash('sha256');
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let written = 0;
  let storedBytes = 0;
  let lines = 0;
  let index = 0;
  let lastByte = 10;

  async function flush(): Promise<void> {
    if (waitingBytes === 0) return;
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    const chunk = { ref, organizationId: owner.organizationId, index, offset: written, bytes };
    storedBytes += await rows.appendChunk(chunk);
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
      // Before it counts: an output that does not fit must not have made anything else go.
      if (meta.kind !== 'transcript') await rows.makeRoom(owner.organizationId, storedBytes, new Date(clock.now()));
      // A last line without line ending counts too.
      const total = lines + (lastByte === 10 ? 0 : 1);
      return rows.finishEnvelope(owner.sessionId, ref, {
        bytes: written,
        storedBytes,
        lines: total,
        sha256: hash.digest('hex'),
        cutOffset,
      });
    },
    abort: () => rows.abortEnvelope(owner.sessionId, ref),
  };
}
