import { found, readOnly } from './command-class.ts';
import type { Rule } from './command-rule.ts';

type Options = readonly string[];

/** Reads unless an option says otherwise; an option that only run time knows may be any of them. */
export function reader(rules: {
  writes?: Options;
  executes?: Options;
  network?: Options;
  destructive?: Options;
  mayWriteOperand?: number;
}): Rule {
  return (args, { program }) => {
    if (rules.destructive && args.has(...rules.destructive))
      return found('destructive', `${program} removes with this option.`);
    if (rules.executes && args.has(...rules.executes))
      return found('executes', `${program} starts another program with this option.`);
    if (args.dynamic) return found('executes', `Which options ${program} gets is known only when it runs.`);
    if (rules.writes && args.has(...rules.writes)) return found('writes', `${program} writes a file with this option.`);
    const operand = rules.mayWriteOperand === undefined ? undefined : args.operands[rules.mayWriteOperand];
    return operand === undefined ? readOnly : found('writes', `${program} writes ${operand}.`);
  };
}

/** Writes unless an option turns it into a reader. */
export function writer(readsWith: Options = [], worse: { executes?: Options; destructive?: Options } = {}): Rule {
  return (args, { program }) => {
    if (worse.destructive && args.has(...worse.destructive))
      return found('destructive', `${program} removes with this option.`);
    if (worse.executes && args.has(...worse.executes))
      return found('executes', `${program} starts another program with this option.`);
    if (readsWith.length > 0 && args.has(...readsWith) && !args.dynamic) return readOnly;
    return found('writes', `${program} writes files.`);
  };
}

/** Shows without arguments, sets with them. */
export const shows =
  (grade: 'writes' | 'executes', readsWith: Options = []): Rule =>
  (args, { program }) =>
    args.words.length === 0 || (readsWith.length > 0 && args.has(...readsWith))
      ? readOnly
      : found(grade, `${program} changes the system's state.`);
