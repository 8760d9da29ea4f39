import type { SessionEvent } from '@oneslot/core';
import type { ApprovalRow } from '../store/contract.ts';

/** What the log says of an approval that is closed; null while it is open. */
export function decidedEvent(row: ApprovalRow): Extract<SessionEvent, { kind: 'approval-decided' }> | null {
  const { id: approvalId, callId, state: decision, scope, decidedById: by, decidedReason: reason } = row;
  if (decision === 'pending') return null;
  return { kind: 'approval-decided', approvalId, callId, decision, scope, by, reason };
}
