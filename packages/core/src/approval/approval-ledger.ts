/** What people answered before in this session: grants by command shape, denials by the exact call. */
export type ApprovalLedger = {
  hasGrant(fingerprint: string): boolean;
  /** The reason given with the denial ('' where none was), or null where this exact call was not denied. */
  findDenial(fingerprint: string): string | null;
  addGrant(fingerprint: string, answer: Answered): void;
  /** `reason` is '' where none was given. */
  addDenial(fingerprint: string, answer: Answered & { reason: string }): void;
  /** What is stored now stands in place of what was remembered, so that an answer taken back counts no more. */
  replace(stored: StoredAnswers): void;
};

type StoredAnswers = {
  grants?: Iterable<string>;
  denials?: Iterable<readonly [fingerprint: string, reason: string]>;
};

/** Who decided, and what their answer covers as it was shown to them. */
type Answered = { by: string; words: string };

/** A ledger in memory over what was stored; `onAdd` lets its owner keep what a later turn or runner needs. */
export function createApprovalLedger(
  stored: StoredAnswers & {
    onAdd?(entry: Answered & { kind: 'grant' | 'denial'; fingerprint: string; reason: string }): void;
  } = {},
): ApprovalLedger {
  let grants = new Set(stored.grants ?? []);
  let denials = new Map(stored.denials ?? []);
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
    replace(now) {
      grants = new Set(now.grants ?? []);
      denials = new Map(now.denials ?? []);
    },
  };
}
