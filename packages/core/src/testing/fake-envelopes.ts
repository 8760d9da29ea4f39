import { createHash } from 'node:crypto';
import type { EnvelopeGone, EnvelopeInfo, EnvelopeMeta, EnvelopeStore } from '../contract/ports.ts';

export type FakeEnvelopes = EnvelopeStore & {
  ready: Map<string, { info: EnvelopeInfo; bytes: Uint8Array }>;
  removed: Map<string, EnvelopeGone>;
  failing: boolean;
  opened: number;
};

/** In memory; `failing` makes every write fail. */
export function fakeEnvelopes(now = () => 0): FakeEnvelopes {
  const store: FakeEnvelopes = {
    ready: new Map(),
    removed: new Map(),
    failing: false,
    opened: 0,
    open: async (meta: EnvelopeMeta) => {
      if (store.failing) throw new Error('The store is full.');
      store.opened += 1;
      const ref = `out_${String(store.opened).padStart(26, '0')}`;
      const chunks: Uint8Array[] = [];
      return {
        ref,
        write: async (chunk) => void chunks.push(new Uint8Array(chunk)),
        finish: async (cutOffset) => {
          const bytes = Buffer.concat(chunks);
          const lines = bytes.toString('latin1').split('\n').length - 1;
          const sha256 = createHash('sha256').update(bytes).digest('hex');
          const info = { ...meta, ref, cutOffset, bytes: bytes.length, lines, sha256, createdAt: now() };
          store.ready.set(ref, { info, bytes });
          return info;
        },
        abort: async () => undefined,
      };
    },
    info: async (ref) => store.ready.get(ref)?.info ?? null,
    gone: async (ref) => store.removed.get(ref) ?? null,
    read: async (ref, start, end) => store.ready.get(ref)?.bytes.subarray(start, end) ?? new Uint8Array(),
    newest: async (limit) => [...store.ready.keys()].reverse().slice(0, limit),
  };
  return store;
}
