import { describe, expect, it } from 'vitest';
import { toolSpec, wireDispatcher } from '../../test/wire-dispatcher.ts';
import { ToolError } from '../errors.ts';
import { fakeApprovals, fakeFiles, fakePolicy, fakeSecrets, fakeShell, fakeSubjects } from '../testing/index.ts';

const never = new AbortController().signal;
const call = (name: string, callId = 'c1', input: unknown = {}) => ({
  callId,
  name,
  argumentsText: JSON.stringify(input),
});
const turns = async (count = 40) => {
  for (let index = 0; index < count; index += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('executePlan', () => {
  it('asks again where a file changed while a person thought, and gives up after three times', async () => {
    let version = 0;
    const approvals = fakeApprovals();
    const subjects = {
      describe: async (paths: readonly string[]) => fakeSubjects({ a: `h${++version}` }).describe(paths),
    };
    let executed = 0;
    const write = toolSpec({
      name: 'write',
      capabilities: new Set(['writes_files']),
      approvalFor: () => ({ paths: ['a'] }),
      execute: async () => `done ${++executed}`,
    });
    const policy = () => fakePolicy({ mode: 'ask' });
    const moving = wireDispatcher([write], { approvals, subjects, policy });
    expect(await moving.dispatcher.dispatch([call('write')], 'complete', never)).toMatchObject([{ code: 'conflict' }]);
    expect([approvals.requests.length, executed]).toEqual([3, 0]);
    const still = wireDispatcher([write], { subjects: fakeSubjects({ a: 'h' }), policy });
    expect(await still.dispatcher.dispatch([call('write')], 'complete', never)).toMatchObject([
      { ok: true, content: 'done 1' },
    ]);
  });

  it('fills the slot of a late tool, and of a stopped one within a second, though it never ends', async () => {
    const hangs = toolSpec({ name: 'hangs', execute: () => new Promise(() => undefined) });
    const late = wireDispatcher([hangs]);
    const first = late.dispatcher.dispatch([call('hangs')], 'complete', never);
    await turns();
    late.clock.advance(30_000);
    await turns();
    late.clock.advance(900);
    expect(await first).toMatchObject([{ code: 'timeout' }]);
    const abort = new AbortController();
    const stopped = wireDispatcher([hangs]);
    const second = stopped.dispatcher.dispatch([call('hangs')], 'complete', abort.signal);
    await turns();
    abort.abort();
    await turns();
    stopped.clock.advance(950);
    expect(await second).toMatchObject([{ code: 'cancelled' }]);
  });

  it('stores the start of a write before it begins, and stops where the log cannot be written', async () => {
    const order: string[] = [];
    const write = toolSpec({
      name: 'write',
      capabilities: new Set(['writes_files']),
      execute: async () => String(order.push('executed')),
    });
    const { dispatcher } = wireDispatcher([write], {
      journal: {
        append: async (event) => void order.push(event.kind),
        post: () => undefined,
        finished: async () => null,
      },
    });
    await dispatcher.dispatch([call('write')], 'complete', never);
    expect(order).toEqual(['call-started', 'executed', 'call-finished']);
    const lost = wireDispatcher([write], {
      journal: {
        append: async (event) => {
          if (event.kind === 'call-finished') throw new Error('lease lost');
        },
        post: () => undefined,
        finished: async () => null,
      },
    });
    order.length = 0;
    await expect(lost.dispatcher.dispatch([call('write', 'a'), call('write', 'b')], 'complete', never)).rejects.toThrow(
      'lease lost',
    );
    await turns();
    expect(order).toEqual(['executed']);
  });

  it('hands out only what was declared', async () => {
    const seen: Record<string, string[]> = {};
    const look = (name: string, capabilities: ('read_only' | 'writes_files' | 'executes_code')[]) =>
      toolSpec({
        name,
        capabilities: new Set(capabilities),
        parallel: false,
        execute: async (_input, context) => {
          const files = context.files;
          seen[name] = [
            ...Object.keys(context),
            ...(typeof files === 'object' && files !== null && 'write' in files ? ['files.write'] : []),
          ].sort();
          return 'ok';
        },
      });
    const { dispatcher } = wireDispatcher(
      [look('reader', ['read_only']), look('writer', ['writes_files']), look('runner', ['executes_code'])],
      {
        ports: () => ({ files: fakeFiles({ a: '1' }), shell: fakeShell() }),
        policy: () => fakePolicy({ mode: 'agent' }),
      },
    );
    await dispatcher.dispatch([call('reader', '1'), call('writer', '2'), call('runner', '3')], 'complete', never);
    expect(seen.reader).toEqual(['callId', 'files', 'git', 'progress', 'signal']);
    expect(seen.writer).toContain('files.write');
    expect(seen.runner).toContain('shell');
    expect(seen.runner).not.toContain('files');
  });

  it('starts reads early, reuses them only where nothing changed, and throws them away with their stream', async () => {
    const runs: string[] = [];
    const read = toolSpec({ name: 'read', execute: async (input) => `read ${runs.push(JSON.stringify(input))}` });
    const fetches = toolSpec({
      name: 'fetch',
      capabilities: new Set(['read_only', 'network']),
      execute: async () => String(runs.push('fetch')),
    });
    const write = toolSpec({
      name: 'write',
      capabilities: new Set(['writes_files']),
      parallel: false,
      execute: async () => 'written',
    });
    const { dispatcher } = wireDispatcher([read, fetches, write]);
    dispatcher.startEarly(call('read', 'a', { path: 1 }), never);
    dispatcher.startEarly(call('fetch', 'b'), never);
    await turns();
    expect(runs).toEqual(['{"path":1}']);
    await dispatcher.dispatch([call('read', 'a', { path: 1 }), call('fetch', 'b')], 'complete', never);
    expect(runs).toEqual(['{"path":1}', 'fetch']);
    dispatcher.startEarly(call('read', 'c', { path: 2 }), never);
    await turns();
    await dispatcher.dispatch([call('read', 'c', { path: 3 })], 'complete', never);
    expect(runs.slice(2)).toEqual(['{"path":2}', '{"path":3}']);
    dispatcher.startEarly(call('write', 'd'), never);
    dispatcher.startEarly(call('read', 'e', { path: 4 }), never);
    await turns();
    expect(runs).toHaveLength(4);
    dispatcher.discardEarly();
    dispatcher.startEarly(call('read', 'e', { path: 4 }), never);
    await turns();
    expect(runs).toHaveLength(5);
  });

  it("writes down what runs in place of the model's input, and tells the model", async () => {
    const ran: unknown[] = [];
    const write = toolSpec({
      name: 'write',
      capabilities: new Set(['writes_files']),
      execute: async (input) => `wrote ${ran.push(input)}`,
    });
    const secrets = fakeSecrets({ KEY: 'hunter2-hunter2' });
    const approvals = fakeApprovals(() => ({ kind: 'edited', input: { text: 'new hunter2-hunter2' }, by: 'bo' }));
    const policy = () => fakePolicy({ mode: 'ask' });
    const { dispatcher, journal } = wireDispatcher([write], { approvals, policy, secrets });
    const [result] = await dispatcher.dispatch([call('write', 'c1', { text: 'old' })], 'complete', never);
    expect(ran).toEqual([{ text: 'new hunter2-hunter2' }]);
    const planned = journal.events.filter((event) => event.kind === 'call-planned');
    expect(planned).toMatchObject([
      { input: { text: 'old' } },
      { input: { text: 'new [secret:KEY]' }, changedBy: 'person' },
    ]);
    expect(planned[1]?.inputDigest).not.toBe(planned[0]?.inputDigest);
    expect(journal.events.map((event) => event.kind).slice(-3)).toEqual([
      'call-planned',
      'call-started',
      'call-finished',
    ]);
    expect(result?.content).toContain(
      'warning: a person changed the input of this call to {"text":"new [secret:KEY]"}',
    );
  });

  it('tells of a large input only its beginning, and never half a secret', async () => {
    const write = toolSpec({ name: 'write', capabilities: new Set(['writes_files']), execute: async () => 'wrote' });
    const secret = 'hunter2-'.repeat(50);
    const text = `${'x'.repeat(1_930)}${secret}${'y'.repeat(50_000)}`;
    const approvals = fakeApprovals(() => ({ kind: 'edited', input: { text }, by: 'bo' }));
    const policy = () => fakePolicy({ mode: 'ask' });
    const { dispatcher } = wireDispatcher([write], { approvals, policy, secrets: fakeSecrets({ KEY: secret }) });
    const [result] = await dispatcher.dispatch([call('write')], 'complete', never);
    expect(result?.warnings[0]).toMatch(/x\[secret.*…$/);
    expect(result?.warnings[0]?.length).toBeLessThan(2_010);
    expect(result?.content).not.toContain('hunter2');
  });

  it('says the same of a hook, even where the call ran before the answer stood', async () => {
    const read = toolSpec({ name: 'read', execute: async (input) => JSON.stringify(input) });
    const rewrite = async () => ({ path: 'other' });
    const { dispatcher, journal } = wireDispatcher([read], { rewrite });
    dispatcher.startEarly(call('read', 'a', { path: 'one' }), never);
    await turns();
    const [result] = await dispatcher.dispatch([call('read', 'a', { path: 'one' })], 'complete', never);
    const planned = journal.events.filter((event) => event.kind === 'call-planned');
    expect(planned.at(-1)).toMatchObject({ input: { path: 'other' }, changedBy: 'hook' });
    expect(result?.content).toContain('warning: a hook changed the input of this call to {"path":"other"}');
    const same = wireDispatcher([read], { rewrite: async () => ({ path: 'one' }) });
    const [plain] = await same.dispatcher.dispatch([call('read', 'b', { path: 'one' })], 'complete', never);
    expect(plain?.warnings).toEqual([]);
  });

  it('begins no call beside the one that stopped the turn', async () => {
    const abort = new AbortController();
    const began: boolean[] = [];
    const stops = toolSpec({
      name: 'stops',
      execute: async () => {
        began.push(abort.signal.aborted);
        abort.abort();
        return 'stopped';
      },
    });
    const { dispatcher } = wireDispatcher([stops]);
    const calls = [call('stops', 'a', { at: 1 }), call('stops', 'b', { at: 2 })];
    const results = await dispatcher.dispatch(calls, 'complete', abort.signal);
    expect(began).toEqual([false]);
    expect(results.map((result) => result.code)).toContain('cancelled');
  });

  it('ends a turn that goes in circles and runs nothing of it any more', async () => {
    const fails = toolSpec({
      name: 'fails',
      parallel: false,
      execute: async () => Promise.reject(new ToolError('not_found', 'no')),
    });
    const { dispatcher } = wireDispatcher([fails]);
    const calls = Array.from({ length: 10 }, (_, index) => call('fails', `c${index}`, { index }));
    const results = await dispatcher.dispatch(calls, 'complete', never);
    expect(results.map((result) => result.code)).toEqual([
      ...Array(8).fill('not_found'),
      'loop_blocked',
      'loop_blocked',
    ]);
    expect(results[2]?.content).toContain('notice: fails failed 3 times in a row');
    expect(dispatcher.halted()).toContain('8 times');
    dispatcher.beginTurn();
    expect(dispatcher.halted()).toBeNull();
  });
});

describe('a deferred tool', () => {
  const late = toolSpec({
    name: 'late',
    load: 'deferred',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    parseInput: (input) => {
      if (typeof input.path !== 'string') throw new ToolError('invalid_input', 'path is missing.');
      return { input, warnings: [] };
    },
    execute: async () => 'done',
  });

  it('shows its schema to a call that could not know it, and is at hand once it ran', async () => {
    const { dispatcher } = wireDispatcher([late]);
    const [shown] = await dispatcher.dispatch([call('late', 'a', { file: 'x' })], 'complete', never);
    expect(shown?.content).toContain('"required":["path"]');
    expect(shown?.content).toContain('missing: path; unexpected: file');
    expect(shown?.content).toContain('retry_required: true');
    expect(dispatcher.metadata()).toEqual([]);
    await dispatcher.dispatch([call('late', 'b', { path: 'x' })], 'complete', never);
    expect(dispatcher.metadata().map((tool) => tool.name)).toEqual(['late']);
  });
});
