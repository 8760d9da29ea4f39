/** What people answered before in this session: grants by command shape, denials by the exact call. */
export type ApprovalLedger = {
  hasGrant(fingerprint: string): boolean;
  /** The reason given with the denial ('' where none was), or null where this exact call was not denied. */
  findDenial(fingerprint: string): string | null;
  addGrant(fingerprint: string, answer: Answered): void;
  /** `reason` is '' where none was given. */
  addDenial(fingerprint: string, answer: Answered & { reason: string }): void;
};

/** Who decided, and what their answer covers as it was shown to them. */
type Answered = { by: string; words: string };

/** A ledger in memory over what was stored; `onAdd` lets its owner keep what a later turn or runner needs. */
export function createApprovalLedger(
  stored: {
    grants?: Iterable<string>;
    denials?: Iterable<readonly [fingerprint: string, reason: string]>;
    onAdd?(entry: Answered & { kind: 'grant' | 'denial'; fingerprint: string; reason: string }): void;
  } = {},
): ApprovalLedger {
  const grants = new Set(stored.grants ?? []);
  const denials = new Map(stored.denials ?? []);
  return {
    hasGrant: (fingerprint) => grants.has(fingerprint),
    findDenial: (fingerprint) => denials.get(fingerprint) ?? null,
    addGrant(fingerprint, { by, words }) {
      grants.add(fingerprint);
      stored.onAdd?.({ kind: 'grant', fingerprint, by, words, reason: '' });
    },
    addDenial(fingerprint, { by, words, reason }) {
      denials.set(fingerprint, reason);
      stored.onAdd?.({ kind: 'denial', fingerprint, by, words, reason });
    },
  };
}
