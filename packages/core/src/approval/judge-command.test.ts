import { beforeAll, describe, expect, it, test } from 'vitest';
import { loadParser } from '../../test/load-parser.ts';
import { scoreCommands } from '../../test/scores/score-commands.ts';
import type { CommandParser } from '../contract/ports.ts';
import type { CommandClass } from '../contract/tool-spec.ts';
import { readCases } from '../testing/index.ts';
import { ownCases } from '../testing/read-cases.ts';
import { judgeCommand } from './judge-command.ts';

let parser: CommandParser;

beforeAll(async () => {
  parser = await loadParser();
});

test('cases/shell-safety: meets its bars, and every row is exact', async () => {
  const { rows, figures, meetsBar } = await scoreCommands(ownCases('shell-safety/commands.jsonl'), parser);
  expect({ failed: rows.filter((row) => row.failure !== null), meetsBar }, figures.join('\n')).toEqual({
    failed: [],
    meetsBar: true,
  });
});

describe('judge-command.cases.json', () => {
  // `asks` rows may be of any class but the one that runs unasked.
  for (const { id, given, expected } of readCases<{ id: string; given: string; expected: CommandClass | 'asks' }>(
    new URL('judge-command.cases.json', import.meta.url),
  )) {
    it(`${id}: ${given}`, () => {
      const { class: grade } = judgeCommand(given, parser);
      expect(expected === 'asks' && grade !== 'read-only' ? 'asks' : grade).toBe(expected);
    });
  }
});

describe('judgeCommand', () => {
  test.each([
    ['rm -rf / --no-preserve-root'],
    ['sudo rm -r -f /*'],
    [':(){ :|:& };:'],
    ['mkfs.ext4 /dev/sda1'],
    ['dd if=/dev/zero of=/dev/sda'],
    ['bash -c "rm -rf ~"'],
  ])('refuses %s in every mode', (command) => {
    expect(judgeCommand(command, parser)).toMatchObject({ class: 'destructive', refuse: expect.any(String) });
  });

  test.each([['rm -rf build'], ['ls'], ['git push --force']])('leaves %s to people', (command) => {
    expect(judgeCommand(command, parser).refuse).toBeNull();
  });

  it('names every simple command, inner ones too', () => {
    expect(judgeCommand('cd src && timeout 5 grep -n "a b" *.ts | head', parser).simple).toEqual([
      ['cd', 'src'],
      ['timeout', '5', 'grep', '-n', 'a b', '*.ts'],
      ['grep', '-n', 'a b', '*.ts'],
      ['head'],
    ]);
  });

  it('takes what it cannot read for code', () => {
    expect(judgeCommand('echo "unbalanced', parser).class).toBe('executes');
    expect(judgeCommand('ls', null).class).toBe('executes');
  });
});
