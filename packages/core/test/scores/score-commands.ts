import { judgeCommand } from '../../src/approval/judge-command.ts';
import type { CommandParser, SyntaxNode } from '../../src/contract/ports.ts';
import type { CommandClass } from '../../src/contract/tool-spec.ts';
import { median, type RowScore, type SetScore, score, unless } from './score.ts';

export type CommandRow = {
  id: string;
  command: string;
  expectedClass: CommandClass;
  mayAutoRun: boolean | 'if-proven';
};

const order: readonly CommandClass[] = ['read-only', 'writes', 'network', 'executes', 'destructive'];

/** What is graded read-only runs unasked, so a row that must ask and is graded so is false-safe. */
export function scoreCommand(row: CommandRow, parser: CommandParser): RowScore & { class: CommandClass } {
  const { class: got } = judgeCommand(row.command, parser);
  const falseSafe = row.mayAutoRun === false && got === 'read-only';
  const failures = [
    ...unless(!falseSafe, 'false-safe'),
    ...unless(fits(row, got, parser), `${got} instead of ${row.expectedClass}: ${row.command.slice(0, 80)}`),
  ];
  return { ...score(row.id, failures, { wrong: falseSafe }), class: got };
}

export function scoreCommands(commands: readonly CommandRow[], parser: CommandParser): SetScore {
  const times: number[] = [];
  const graded = commands.map((row) => {
    const started = performance.now();
    const graded = scoreCommand(row, parser);
    times.push(performance.now() - started);
    return { row, graded };
  });
  const safe = graded.filter(({ row }) => row.mayAutoRun === true);
  const recognized = safe.filter(({ graded }) => graded.class === 'read-only');
  const exact = graded.filter(({ graded }) => graded.failure === null);
  const under = graded.filter(
    ({ row, graded }) => graded.failure !== null && order.indexOf(graded.class) < order.indexOf(row.expectedClass),
  );
  const rows = graded.map(({ graded }) => graded);
  const falseSafe = rows.filter((row) => row.wrong).length;
  const percent = (part: number, whole: number) => (whole === 0 ? 100 : (100 * part) / whole);
  const shares = [percent(recognized.length, safe.length), percent(under.length, rows.length)] as const;
  return {
    rows,
    figures: [
      `read-only recognised ${shares[0].toFixed(1)} % (${recognized.length} of ${safe.length}), ` +
        `under-classified ${shares[1].toFixed(1)} % (${under.length}), median ${median(times).toFixed(2)} ms`,
    ],
    meetsBar: falseSafe === 0 && shares[0] >= 90 && percent(exact.length, rows.length) >= 85 && shares[1] <= 3,
  };
}

function fits(row: CommandRow, got: CommandClass, parser: CommandParser): boolean {
  if (got === row.expectedClass) return true;
  const loose = (one: CommandClass, other: CommandClass) =>
    [one, other].includes(got) && [one, other].includes(row.expectedClass);
  if (row.mayAutoRun === 'if-proven' && loose('read-only', 'executes')) return true;
  return loose('executes', 'destructive') && isNamedAtRunTime(parser.parse(row.command));
}

const computed = new Set([
  'simple_expansion',
  'expansion',
  'command_substitution',
  'arithmetic_expansion',
  'ansi_c_string',
  'brace_expression',
]);

/** The program's name exists only when the line runs, or what runs comes out of another program into a shell. */
function isNamedAtRunTime(node: SyntaxNode): boolean {
  const name = node.type === 'command' ? node.children.find((child) => child.field === 'name') : undefined;
  if (name && (holds(name, computed) || /[*?[{]/.test(name.text))) return true;
  const last = node.type === 'pipeline' ? node.children.at(-1) : undefined;
  if (last && /^(?:ba|da|k|z)?sh$/.test(last.text)) return true;
  return node.children.some(isNamedAtRunTime);
}

function holds(node: SyntaxNode, types: ReadonlySet<string>): boolean {
  return types.has(node.type) || node.children.some((child) => holds(child, types));
}
