import type { Database } from '@oneslot/db';
import { createApprovalStore } from './approval-store.ts';
import { createAuditStore } from './audit-store.ts';
import type { OutputLimits, Stores } from './contract.ts';
import { createEnvelopeRows } from './envelope-store.ts';
import { createGrantStore } from './grant-store.ts';
import { createMemberStore } from './member-store.ts';
import { createMessageStore } from './message-store.ts';
import { createModelStore } from './model-store.ts';
import { createOutputStore, defaultOutputLimits } from './output-store.ts';
import { createQuestionStore } from './question-store.ts';
import { createSandboxStore } from './sandbox-store.ts';
import type { SecretBox } from './secret-box.ts';
import { createSessionStore } from './session-store.ts';
import { createSlotCountStore } from './slot-count-store.ts';
import { createTurnStore } from './turn-store.ts';

/** `limits` hold for organizations that chose none of their own. */
export function createStores(database: Database, box: SecretBox, limits: OutputLimits = defaultOutputLimits): Stores {
  return {
    sessions: createSessionStore(database),
    messages: createMessageStore(database),
    turns: createTurnStore(database),
    approvals: createApprovalStore(database),
    grants: createGrantStore(database),
    envelopes: createEnvelopeRows(database, limits),
    outputs: createOutputStore(database, limits),
    questions: createQuestionStore(database),
    sandboxes: createSandboxStore(database),
    models: createModelStore(database, box),
    members: createMemberStore(database),
    audit: createAuditStore(database),
    slotCounts: createSlotCountStore(database),
  };
}
