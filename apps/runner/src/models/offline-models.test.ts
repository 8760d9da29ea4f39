import type { ModelDelta, TranscriptItem } from '@oneslot/core';
import { describe, expect, test } from 'vitest';
import { answerManually, createManual, parseCalls } from './manual.ts';
import { nextAnswer } from './tour.ts';

const user: TranscriptItem = { kind: 'user', text: 'hello' };

/** Plays the tour against results as the tools would give them. */
function playTour(resultOf: (name: string, step: number) => string) {
  const transcript: TranscriptItem[] = [user];
  const names: string[] = [];
  for (let step = 0; step < 20; step++) {
    const answer = nextAnswer(transcript);
    const calls = answer.calls.map((call, n) => ({ callId: `c${step}_${n}`, ...call }));
    transcript.push({ kind: 'assistant', text: answer.text, reasoning: '', calls });
    if (calls.length === 0) return { names, last: answer.text, transcript };
    for (const call of calls) {
      names.push(call.name);
      transcript.push({ kind: 'result', callId: call.callId, content: resultOf(call.name, step), parts: [] });
    }
  }
  throw new Error('the tour never ends');
}

describe('tour', () => {
  test('goes through list, write, edit, command and reading back', () => {
    const { names, last } = playTour(() => 'fine');
    expect(names).toEqual(['list_dir', 'write_file', 'edit_file', 'run_command', 'read_file', 'read_file']);
    expect(last).toContain('`run_command` ran');
  });

  test('a refusal is shown and the tour goes on', () => {
    const { transcript, last } = playTour((name) =>
      name === 'run_command' ? '[approval_denied] A person said no: not today.' : 'fine',
    );
    expect(JSON.stringify(transcript)).toContain('> [approval_denied] A person said no');
    expect(last).toContain('`run_command` was refused or failed');
  });

  test('a second tour leaves the first one alone', () => {
    const { transcript } = playTour((name) => (name === 'list_dir' ? 'README.md\ntour/\ntour-2/' : 'fine'));
    expect(JSON.stringify(transcript)).toContain('tour-3/notes.md');
  });
});

describe('manual', () => {
  test('several lines are several calls, and the text stays untouched', () => {
    expect(parseCalls('/call read_file {"path":"a"}\n/call run_command {"command":\n "ls",}\n/call list_dir')).toEqual([
      { name: 'read_file', argumentsText: '{"path":"a"}' },
      { name: 'run_command', argumentsText: '{"command":\n "ls",}' },
      { name: 'list_dir', argumentsText: '' },
    ]);
  });

  test('anything else lists the tools', () => {
    const tools = [
      {
        name: 'x',
        description: 'Does x. And more.',
        inputSchema: {},
        load: 'resident',
        source: 'builtin',
        family: 'f',
        baseLevel: 'auto',
      } as const,
    ];
    const answer = answerManually({ system: '', tools, transcript: [user] });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain('- `x` Does x.');
  });

  test('streams structured calls, then one closing line', async () => {
    const model = createManual({ clock: { now: () => 0, sleep: async () => {} } });
    const transcript: TranscriptItem[] = [{ kind: 'user', text: '/call a {}' }];
    const deltas: ModelDelta[] = [];
    for await (const delta of model.stream({ system: '', tools: [], transcript }, new AbortController().signal))
      deltas.push(delta);
    expect(deltas[0]).toEqual({ kind: 'call', index: 0, name: 'a', argumentsText: '{}' });
    expect(deltas.at(-1)).toEqual({ kind: 'finish', reason: 'calls' });
    transcript.push({
      kind: 'assistant',
      text: '',
      reasoning: '',
      calls: [{ callId: 'c', name: 'a', argumentsText: '{}' }],
    });
    transcript.push({ kind: 'result', callId: 'c', content: 'x', parts: [] });
    expect(answerManually({ system: '', tools: [], transcript }).calls).toEqual([]);
  });
});
