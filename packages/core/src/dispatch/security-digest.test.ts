import { expect, test, vi } from 'vitest';
import { toolSpec, wireDispatcher } from '../../test/wire-dispatcher.ts';
import type { ApprovalSubject, SubjectPort } from '../contract/ports.ts';
import { fakeApprovals, fakePolicy } from '../testing/index.ts';

// Numbers are those of the adversarial tests: what an answer is bound to, and what may start before the answer stands.

type World = Awaited<ReturnType<SubjectPort['describe']>>;
const world: World = {
  cwd: '/workspace',
  env: [{ name: 'CI', valueSha256: 'a' }],
  imageDigest: 'image-1',
  preconditions: [{ path: 'package-lock.json', sha256: 'a' }],
};
const changes: [string, Partial<World>][] = [
  ['the folder', { cwd: '/workspace/x' }],
  ['a variable', { env: [{ name: 'CI', valueSha256: 'b' }] }],
  ['one more variable', { env: [...world.env, { name: 'LD_PRELOAD', valueSha256: 'c' }] }],
  ['the image', { imageDigest: 'image-2' }],
  ['a named file', { preconditions: [{ path: 'package-lock.json', sha256: 'b' }] }],
  ['a file that is gone', { preconditions: [{ path: 'package-lock.json', sha256: null }] }],
  ['where a path leads', { preconditions: [{ path: 'other.json', sha256: 'a' }] }],
];

test.each(changes)('security 20: a yes does not hold because %s is another than the one shown', async (_, change) => {
  const ran: unknown[] = [];
  const shown: ApprovalSubject[] = [];
  let now: World = world;
  const approvals = fakeApprovals(({ digest, subject }) => {
    shown.push(subject);
    // The world changes while the answer is on its way; the second card is denied.
    now = { ...world, ...change };
    return shown.length === 1
      ? { kind: 'approved', scope: 'once', by: 'u', digest }
      : { kind: 'denied', by: 'u', reason: null };
  });
  const spec = toolSpec({
    name: 'build',
    capabilities: new Set(['executes_code']),
    approvalFor: () => ({ paths: ['package-lock.json'] }),
    execute: async () => {
      ran.push('build');
      return 'built';
    },
  });
  const { dispatcher } = wireDispatcher([spec], { approvals, subjects: { describe: async () => now } });
  const call = { callId: 'c1', name: 'build', argumentsText: '{}' };
  const [result] = await dispatcher.dispatch([call], 'complete', new AbortController().signal);
  expect(shown).toMatchObject([world, change]);
  expect(new Set(approvals.requests.map(({ digest }) => digest)).size).toBe(2);
  expect([result?.code, ran]).toEqual(['approval_denied', []]);
});

test('security 20: the same words of another version of the tool have another digest', async () => {
  const digests = new Set<string>();
  for (const description of ['Builds.', 'Builds!']) {
    const approvals = fakeApprovals();
    const spec = toolSpec({
      name: 'build',
      description,
      capabilities: new Set(['executes_code']),
      execute: async () => 'built',
    });
    const { dispatcher } = wireDispatcher([spec], { approvals });
    const call = { callId: 'c1', name: 'build', argumentsText: '{}' };
    await dispatcher.dispatch([call], 'complete', new AbortController().signal);
    for (const { digest } of approvals.requests) digests.add(digest);
  }
  expect(digests.size).toBe(2);
});

const early = async (final: string, flip: boolean) => {
  const read: unknown[] = [];
  let mode: 'agent' | 'ask' = 'agent';
  let rule: 'none' | 'require' = 'none';
  const approvals = fakeApprovals(() => ({ kind: 'denied', by: 'u', reason: null }));
  const spec = toolSpec({
    name: 'read_file',
    execute: async (input) => {
      read.push(input);
      return JSON.stringify(input);
    },
  });
  const { dispatcher } = wireDispatcher([spec], {
    approvals,
    policy: () => fakePolicy({ mode, evaluate: () => ({ effect: rule, ruleIds: ['r'], reason: 'now it asks' }) }),
  });
  const { signal } = new AbortController();
  dispatcher.startEarly({ callId: 'c1', name: 'read_file', argumentsText: '{"path":"a"}' }, signal);
  // It has read by the time the rest of the answer comes.
  await vi.waitFor(() => expect(read).toHaveLength(1));
  if (flip) [mode, rule] = ['ask', 'require'];
  const call = { callId: 'c1', name: 'read_file', argumentsText: final };
  const [result] = await dispatcher.dispatch([call], 'complete', signal);
  return { result, read, asked: approvals.requests.length };
};

test('security 96: what started early counts only for the very same final input', async () => {
  const same = await early('{"path":"a"}', false);
  expect([same.result?.content, same.read]).toEqual(['{"path":"a"}', [{ path: 'a' }]]);
  const other = await early('{"path":"a.env"}', false);
  expect(other.result?.content).toBe('{"path":"a.env"}');
});

test('security 96: what started early is thrown away where policy asks by then', async () => {
  const { result, asked } = await early('{"path":"a"}', true);
  expect([asked, result?.code]).toEqual([1, 'approval_denied']);
  expect(result?.content).not.toContain('"path"');
});
