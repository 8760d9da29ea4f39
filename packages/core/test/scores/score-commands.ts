import { judgeCommand } from '../../src/approval/judge-command.ts';
import type { CommandParser, SyntaxNode } from '../../src/contract/ports.ts';
import type { CommandClass } from '../../src/contract/tool-spec.ts';
import { median, type RowScore, type SetScore, score, scoreEach, unless } from './score.ts';

export type CommandRow = {
  id: string;
  command: string;
  expectedClass: CommandClass;
  mayAutoRun: boolean | 'if-proven';
};

const order: readonly CommandClass[] = ['read-only', 'writes', 'network', 'executes', 'destructive'];

type Graded = { row: CommandRow; class: CommandClass | null; ms: number; score: RowScore };

/** What is graded read-only runs unasked, so a row that must ask and is graded so is false-safe. */
export async function scoreCommands(commands: readonly CommandRow[], parser: CommandParser): Promise<SetScore> {
  const graded: Graded[] = [];
  for (const row of commands) {
    let got: CommandClass | null = null;
    const started = performance.now();
    const [scored] = await scoreEach([row], () => {
      got = judgeCommand(row.command, parser).class;
      return scoreCommand(row, got, parser);
    });
    if (scored) graded.push({ row, class: got, ms: performance.now() - started, score: scored });
  }
  const safe = graded.filter(({ row }) => row.mayAutoRun === true);
  const recognized = safe.filter((one) => one.class === 'read-only');
  const exact = graded.filter((one) => one.score.failure === null);
  const under = graded.filter((one) => one.score.failure !== null && isLower(one.class, one.row.expectedClass));
  const rows = graded.map((one) => one.score);
  const [seen, low] = [percent(recognized.length, safe.length), percent(under.length, rows.length)];
  const figure =
    `read-only recognised ${seen.toFixed(1)} % (${recognized.length} of ${safe.length}), ` +
    `under-classified ${low.toFixed(1)} % (${under.length}), median ${median(graded.map(({ ms }) => ms)).toFixed(2)} ms`;
  const isSafe = rows.every((row) => !row.wrong);
  const meetsBar = isSafe && seen >= 90 && percent(exact.length, rows.length) >= 85 && low <= 3;
  return { rows, figures: [figure], meetsBar };
}

function scoreCommand(row: CommandRow, got: CommandClass, parser: CommandParser): RowScore {
  const falseSafe = row.mayAutoRun === false && got === 'read-only';
  const failures = [
    ...unless(!falseSafe, 'false-safe'),
    ...unless(fits(row, got, parser), `${got} instead of ${row.expectedClass}: ${row.command.slice(0, 80)}`),
  ];
  return score(row.id, failures, { wrong: falseSafe });
}

const percent = (part: number, whole: number): number => (whole === 0 ? 100 : (100 * part) / whole);

const isLower = (got: CommandClass | null, want: CommandClass): boolean =>
  got !== null && order.indexOf(got) < order.indexOf(want);

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
