import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApprovalLedger } from '../approval/approval-ledger.ts';
import { registerTools } from '../catalog/register-tools.ts';
import { defineTool } from '../contract/define-tool.ts';
import {
  fakeApprovals,
  fakeClock,
  fakeEnvelopes,
  fakeJournal,
  fakePolicy,
  fakeRandom,
  fakeSecrets,
  fakeSubjects,
} from '../testing/index.ts';
import { createDispatcher } from './create-dispatcher.ts';
import { createSessionCatalog } from './session-catalog.ts';
import { ToolLock } from './tool-lock.ts';

const echo = defineTool({
  name: 'echo',
  family: 'test',
  description: 'Says it again.',
  capabilities: ['read_only'],
  parallel: true,
  load: 'resident',
  input: z.object({ text: z.string() }),
  execute: async ({ text }) => text,
});

describe('createDispatcher', () => {
  it('takes a read-only call the whole way', async () => {
    const journal = fakeJournal();
    const dispatcher = createDispatcher({
      catalog: createSessionCatalog({ catalog: registerTools([echo]) }),
      ports: () => ({}),
      policy: fakePolicy,
      parser: null,
      approvals: fakeApprovals(),
      subjects: fakeSubjects(),
      ledger: createApprovalLedger(),
      journal,
      envelopes: fakeEnvelopes(),
      secrets: fakeSecrets(),
      lock: new ToolLock(),
      clock: fakeClock(),
      randomBytes: fakeRandom(),
      report: () => undefined,
    });
    const results = await dispatcher.dispatch(
      [{ callId: 'c1', name: 'echo', argumentsText: '{"text":"hi"}' }],
      'complete',
      new AbortController().signal,
    );
    expect(results).toMatchObject([{ callId: 'c1', ok: true, content: 'hi' }]);
    expect(journal.events.map((event) => event.kind)).toEqual(['call-planned', 'call-started', 'call-finished']);
  });
});
