import type { Database } from '@oneslot/db';
import { createApprovalStore } from './approval-store.ts';
import { createAuditStore } from './audit-store.ts';
import { createCallStore } from './call-store.ts';
import type { Stores } from './contract.ts';
import { createEnvelopeRows } from './envelope-store.ts';
import { createGrantStore } from './grant-store.ts';
import { createMemberStore } from './member-store.ts';
import { createMessageStore } from './message-store.ts';
import { createModelStore } from './model-store.ts';
import { createQuestionStore } from './question-store.ts';
import { createSandboxStore } from './sandbox-store.ts';
import type { SecretBox } from './secret-box.ts';
import { createSessionStore } from './session-store.ts';
import { createTurnStore } from './turn-store.ts';

export function createStores(database: Database, box: SecretBox): Stores {
  return {
    sessions: createSessionStore(database),
    messages: createMessageStore(database),
    turns: createTurnStore(database),
    calls: createCallStore(database),
    approvals: createApprovalStore(database),
    grants: createGrantStore(database),
    envelopes: createEnvelopeRows(database),
    questions: createQuestionStore(database),
    sandboxes: createSandboxStore(database),
    models: createModelStore(database, box),
    members: createMemberStore(database),
    audit: createAuditStore(database),
  };
}
