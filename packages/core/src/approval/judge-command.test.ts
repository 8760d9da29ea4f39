import { beforeAll, describe, expect, it, test } from 'vitest';
import { loadParser } from '../../test/load-parser.ts';
import type { CommandParser } from '../contract/ports.ts';
import type { CommandClass } from '../contract/tool-spec.ts';
import { readCases } from '../testing/index.ts';
import { judgeCommand } from './judge-command.ts';

const order: CommandClass[] = ['read-only', 'writes', 'network', 'executes', 'destructive'];
let parser: CommandParser;

beforeAll(async () => {
  parser = await loadParser();
});

type Row = { id: string; command: string; expectedClass: CommandClass; mayAutoRun: boolean | 'if-proven' };

describe('cases/shell-safety', () => {
  const rows = readCases<Row>(new URL('../../../../cases/shell-safety/commands.jsonl', import.meta.url));
  const atRunTime = /^(?:\$|`|\{|rm\$|\/\?|a=r;|base64)/;
  const fits = (row: Row, got: CommandClass) =>
    got === row.expectedClass ||
    (row.mayAutoRun === 'if-proven' && (got === 'read-only' || got === 'executes')) ||
    (atRunTime.test(row.command) && (got === 'executes' || got === 'destructive'));

  it('meets its bars', () => {
    const graded = rows.map((row) => ({ row, got: judgeCommand(row.command, parser) }));
    const wrong = graded
      .filter(({ row, got }) => !fits(row, got.class))
      .map(({ row, got }) => `${row.command} is ${row.expectedClass}, not ${got.class}`);
    const falseSafe = graded
      .filter(({ row, got }) => row.mayAutoRun === false && got.class === 'read-only')
      .map(({ row }) => row.command);
    const safe = graded.filter(({ row }) => row.mayAutoRun === true);
    const missed = safe.filter(({ got }) => got.class !== 'read-only').map(({ row }) => row.command);
    const under = graded
      .filter(({ row, got }) => !fits(row, got.class) && order.indexOf(got.class) < order.indexOf(row.expectedClass))
      .map(({ row }) => row.command);
    expect({ falseSafe, missed, wrong }).toEqual({ falseSafe: [], missed: [], wrong: [] });
    expect(missed.length / safe.length).toBeLessThanOrEqual(0.1);
    expect(1 - wrong.length / rows.length).toBeGreaterThanOrEqual(0.85);
    expect(under.length / rows.length).toBeLessThanOrEqual(0.03);
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
