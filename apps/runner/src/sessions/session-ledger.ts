import { type ApprovalLedger, createApprovalLedger } from '@oneslot/core';
import type { SessionState } from '../store/contract.ts';
import type { SessionDeps } from './session-deps.ts';

export type SessionLedger = {
  ledger: ApprovalLedger;
  /** Reads the rows again: an answer may have been taken back meanwhile. */
  reload(): Promise<void>;
};

/** Answers people gave "for this session", and what they refused, come from rows and go back there. */
export async function openLedger(deps: SessionDeps, state: SessionState): Promise<SessionLedger> {
  const { grants } = deps.stores;
  // What was just answered is written without anybody waiting; read before that, it would be forgotten.
  const writing = new Set<Promise<void>>();
  const read = async () => {
    let rows: Awaited<ReturnType<typeof grants.listGrants>>;
    do {
      await Promise.all(writing);
      rows = await grants.listGrants(state.id, new Date(deps.clock.now()));
    } while (writing.size > 0);
    return {
      grants: rows.filter((row) => row.kind === 'grant').map((row) => row.fingerprint),
      denials: rows.filter((row) => row.kind === 'denial').map((row) => [row.fingerprint, row.reason ?? ''] as const),
    };
  };
  const ledger = createApprovalLedger({
    ...(await read()),
    onAdd({ by, reason, ...answer }) {
      const row = { ...answer, organizationId: state.organizationId, sessionId: state.id };
      const written = grants
        .addGrant({ ...row, reason: reason || null, grantedById: by, expiresAt: null })
        .catch((cause) => deps.report({ message: 'An answer given for the session could not be kept.', cause }))
        .finally(() => writing.delete(written));
      writing.add(written);
    },
  });
  return { ledger, reload: async () => ledger.replace(await read()) };
}
