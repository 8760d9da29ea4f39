import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest } from '../contract/ports.ts';
import { ToolError } from '../errors.ts';
import { fakeApprovals, fakeEnvelopes, fakeSubjects } from '../testing/index.ts';
import { createApprovalLedger } from './approval-ledger.ts';
import { type ApprovalDeps, approveCall, type CallToApprove, stillApproved } from './approve-call.ts';

const call: CallToApprove = {
  callId: 'c1',
  tool: 'write_file',
  toolVersion: 'v1',
  title: 'write a',
  input: { path: 'a', text: '1' },
  decision: 'ask',
  level: 'suggest',
  reason: 'It changes files.',
  command: undefined,
  paths: ['a'],
  hosts: [],
  discriminators: [],
  grantable: true,
  approvers: undefined,
};
const never = new AbortController().signal;

function deps(decide?: (request: ApprovalRequest) => ApprovalDecision) {
  const approvals = fakeApprovals(decide);
  const reconsider: ApprovalDeps['reconsider'] = (input) => {
    if (input.path === 'denied') throw new ToolError('denied_by_policy', 'no');
    return { ...call, input, paths: [String(input.path)] };
  };
  return {
    approvals,
    subjects: fakeSubjects({ a: 'h1' }),
    envelopes: fakeEnvelopes(),
    ledger: createApprovalLedger(),
    parser: null,
    reconsider,
  };
}
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'approved',
    (error: unknown) => (error instanceof ToolError ? error.code : String(error)),
  );

describe('approveCall', () => {
  it('asks nobody for what may run', async () => {
    const given = deps();
    expect(await approveCall({ ...call, decision: 'run' }, given, never)).toMatchObject({
      subject: null,
      digest: null,
    });
    expect(given.approvals.requests).toEqual([]);
  });

  it('shows what is hashed, and the hash says nothing of call or session', async () => {
    const given = deps();
    await approveCall(call, given, never);
    await approveCall({ ...call, callId: 'c2' }, given, never);
    const [first, second] = given.approvals.requests;
    expect(first?.digest).toBe(second?.digest);
    expect(JSON.parse(first?.canonicalText ?? '')).toEqual(first?.subject);
    expect(first?.canonicalText).toContain('"preconditions":[{"path":"a","sha256":"h1"}]');
    expect(first?.canonicalText).not.toContain('c1');
  });

  it('refuses an answer to other bytes', async () => {
    expect(
      await code(
        approveCall(
          call,
          deps(() => ({ kind: 'approved', scope: 'once', by: 'u', digest: 'other' })),
          never,
        ),
      ),
    ).toBe('conflict');
  });

  it('denies without a channel, after the deadline, and where a person says no', async () => {
    expect(await code(approveCall(call, { ...deps(), approvals: null }, never))).toBe('approval_denied');
    expect(
      await code(
        approveCall(
          call,
          deps(() => ({ kind: 'no_channel' })),
          never,
        ),
      ),
    ).toBe('approval_denied');
    expect(
      await code(
        approveCall(
          call,
          deps(() => ({ kind: 'expired' })),
          never,
        ),
      ),
    ).toBe('approval_expired');
    const given = deps(() => ({ kind: 'denied', by: 'u', reason: 'not now' }));
    await expect(approveCall(call, given, never)).rejects.toThrow('not now');
    await expect(approveCall(call, given, never)).rejects.toThrow('before: not now');
    expect(given.approvals.requests).toHaveLength(1);
  });

  it('lets a cancel win over a yes that comes with it', async () => {
    const abort = new AbortController();
    const given = deps((request) => {
      abort.abort();
      return { kind: 'approved', scope: 'session', by: 'u', digest: request.digest };
    });
    expect(await code(approveCall(call, given, abort.signal))).toBe('cancelled');
    expect(await code(approveCall(call, { ...deps(() => ({ kind: 'expired' })), ledger: given.ledger }, never))).toBe(
      'approval_expired',
    );
  });

  it('remembers a yes for the session by its shape, and a single yes not at all', async () => {
    const once = deps();
    await approveCall(call, once, never);
    await approveCall(call, once, never);
    expect(once.approvals.requests).toHaveLength(2);
    const session = deps((request) => ({ kind: 'approved', scope: 'session', by: 'u', digest: request.digest }));
    await approveCall(call, session, never);
    await approveCall({ ...call, input: { path: 'a', text: '2' } }, session, never);
    expect(session.approvals.requests).toHaveLength(1);
    await approveCall({ ...call, input: { path: 'b', text: '2' }, paths: ['b'] }, session, never);
    expect(session.approvals.requests).toHaveLength(2);
  });

  it('tells the ledger who decided, and in which words', async () => {
    const kept: unknown[] = [];
    const ledger = () => createApprovalLedger({ onAdd: (entry) => kept.push(entry) });
    const yes = deps((request) => ({ kind: 'approved', scope: 'session', by: 'bo', digest: request.digest }));
    await approveCall(call, { ...yes, ledger: ledger() }, never);
    const no = deps(() => ({ kind: 'denied', by: 'cy', reason: null }));
    await code(approveCall(call, { ...no, ledger: ledger() }, never));
    expect(kept).toMatchObject([
      { kind: 'grant', by: 'bo', words: yes.approvals.requests[0]?.sessionScope?.words },
      { kind: 'denial', by: 'cy', reason: '' },
    ]);
  });

  it('remembers nothing where every effect, or a second person, must be asked for', async () => {
    const given = deps((request) => ({ kind: 'approved', scope: 'session', by: 'u', digest: request.digest }));
    for (const one of [
      { ...call, grantable: false },
      { ...call, approvers: { role: 'approver', count: 2, notRequester: true } },
    ]) {
      await approveCall(one, given, never);
      await approveCall(one, given, never);
    }
    expect(given.approvals.requests).toHaveLength(4);
    expect(given.approvals.requests.every((request) => request.sessionScope === null)).toBe(true);
  });

  it('judges what a person changed like what the model wrote, and does not ask again', async () => {
    const given = deps(() => ({ kind: 'edited', input: { path: 'b', text: '2' }, by: 'u' }));
    const approval = await approveCall(call, given, never);
    expect(approval.call.input).toEqual({ path: 'b', text: '2' });
    expect(approval.subject?.preconditions).toEqual([{ path: 'b', sha256: null }]);
    expect(given.approvals.requests).toHaveLength(1);
    expect(
      await code(
        approveCall(
          call,
          deps(() => ({ kind: 'edited', input: { path: 'denied' }, by: 'u' })),
          never,
        ),
      ),
    ).toBe('denied_by_policy');
  });

  it('notices that the world is not the approved one any more', async () => {
    const given = deps();
    const approval = await approveCall(call, given, never);
    expect(await stillApproved(approval, given)).toBe(true);
    expect(await stillApproved(approval, { ...given, subjects: fakeSubjects({ a: 'h2' }) })).toBe(false);
  });
});
