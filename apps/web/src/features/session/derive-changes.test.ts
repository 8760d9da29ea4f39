import { expect, test } from 'vitest';
import { deriveChanges } from './derive-changes.ts';
import type { CallItem, Item } from './view-model.ts';

const message = (text: string): Item => ({ kind: 'message', id: text, at: 0, text, textRef: null, by: 'u' });
const edit = (turnId: string, path: string, diff = '@@ -1 +1 @@\n-a\n+b\n'): CallItem => ({
  kind: 'call',
  id: `${turnId}-${path}-${diff.length}`,
  at: 0,
  turnId,
  stepId: 's',
  name: 'edit_file',
  tool: 'edit_file',
  title: '',
  input: {},
  argumentsText: '',
  level: null,
  decision: null,
  readOnly: false,
  repair: null,
  state: 'done',
  approval: null,
  questions: null,
  answers: null,
  progress: null,
  startedAt: null,
  finishedAt: null,
  result: {
    callId: 'c',
    ok: true,
    code: null,
    content: '',
    data: { path, diff },
    parts: [],
    warnings: [],
    truncated: false,
    outputRef: null,
    untrusted: false,
    tookMs: 1,
  },
});

test('groups by turn and file, newest turn first, without calls that changed nothing', () => {
  const changes = deriveChanges([
    message('one'),
    edit('t1', 'a'),
    edit('t1', 'a'),
    edit('t1', 'b'),
    message('two'),
    edit('t2', 'a'),
    edit('t2', 'c', ' '),
  ]);
  expect(changes.map((turn) => [turn.message, turn.files.map((file) => [file.path, file.changes.length])])).toEqual([
    ['two', [['a', 1]]],
    [
      'one',
      [
        ['a', 2],
        ['b', 1],
      ],
    ],
  ]);
});
