import type { SessionEvent, StoredEvent } from '@oneslot/core';
import { expect, test } from 'vitest';
import { recallSession } from './recall-session.ts';

const log = (...events: SessionEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ sessionId: 's', seq: index + 1, at: 0, event }));
const isBuiltin = (tool: string) => tool !== 'x__foreign';
const planned = (callId: string, tool: string): SessionEvent => ({
  kind: 'call-planned',
  callId,
  name: tool,
  tool,
  title: tool,
  input: {},
  inputDigest: 'd',
  level: 'auto',
  decision: 'run',
  readOnly: true,
  repair: null,
});
const result = (callId: string, data: unknown): SessionEvent => ({
  kind: 'call-finished',
  callId,
  result: {
    callId,
    ok: true,
    code: null,
    content: 'x',
    data,
    parts: [],
    warnings: [],
    truncated: false,
    outputRef: null,
    untrusted: false,
    tookMs: 0,
  },
});

test('freshness, processes and folder come from the data of results', () => {
  const seen = [{ path: '/workspace/src/../a.txt', sha256: 'h', from: 1, to: 3, totalLines: 3 }];
  const memory = recallSession(
    log(
      ...['a', 'b', 'c', 'd'].map((callId) => planned(callId, 'read_file')),
      result('a', { seen }),
      result('b', { process_id: 'p_1', cwd: 'src' }),
      result('c', 'text'),
      result('d', { seen: 'odd' }),
    ),
    isBuiltin,
  );
  expect(memory.seen.get('a.txt')).toEqual({ sha256: 'h', from: 1, to: 3, totalLines: 3 });
  expect(memory.ownedProcesses).toEqual(new Set(['p_1']));
  expect(memory.directory).toBe('src');
});

test('what tools of other origin claim of files and processes is not remembered', () => {
  const claims = {
    seen: [{ path: 'a.txt', sha256: 'h', from: 1, to: 3, totalLines: 3 }],
    process_id: 'p_1',
    cwd: 'src',
  };
  const memory = recallSession(log(planned('a', 'x__foreign'), result('a', claims), result('b', claims)), isBuiltin);
  expect([memory.seen.size, memory.ownedProcesses.size, memory.directory]).toEqual([0, 0, '']);
});

test('only results of completed steps can answer a call that is delivered again', () => {
  const step: SessionEvent = {
    kind: 'step-completed',
    step: 1,
    text: '',
    reasoning: '',
    calls: [{ callId: 'kept', name: 'x', argumentsText: '{}' }],
    ending: 'complete',
    forged: 0,
  };
  const memory = recallSession(log(result('void', {}), step, result('kept', {})), isBuiltin);
  expect([...memory.finished.keys()]).toEqual(['kept']);
});

test('an unfinished turn, the last prefix and activated tools', () => {
  const memory = recallSession(
    log(
      { kind: 'turn-started', turnId: 't1', modelId: 'm', resumed: false },
      { kind: 'turn-finished', turnId: 't1', status: 'completed', reason: null },
      { kind: 'turn-started', turnId: 't2', modelId: 'm', resumed: false },
      {
        kind: 'step-started',
        turnId: 't2',
        step: 1,
        prefixHash: 'p',
        prefixAppendOnly: true,
        tools: 1,
        requestBytes: 1,
      },
      { kind: 'tools-activated', names: ['b', 'a'] },
    ),
    isBuiltin,
  );
  expect(memory.openTurn?.turnId).toBe('t2');
  expect(memory.prefix).toBe('p');
  expect(memory.activeTools).toEqual(['b', 'a']);
});
