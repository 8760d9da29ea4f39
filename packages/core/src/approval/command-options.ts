import { found, readOnly } from './command-class.ts';
import type { Rule } from './command-rule.ts';
import { maySplit } from './read-words.ts';

type Options = readonly string[];

/** Reads unless an option says otherwise; an option that only run time knows may be any of them. */
export function reader(rules: {
  writes?: Options;
  executes?: Options;
  network?: Options;
  destructive?: Options;
  /** This operand and those behind it are written; `valued` are the options whose value is no operand. */
  mayWriteOperand?: number;
  valued?: Options;
}): Rule {
  return (args, { program }) => {
    if (rules.destructive && args.has(...rules.destructive))
      return found('destructive', `${program} removes with this option.`);
    if (rules.executes && args.has(...rules.executes))
      return found('executes', `${program} starts another program with this option.`);
    if (args.dynamic) return found('executes', `Which options ${program} gets is known only when it runs.`);
    if (rules.writes && args.has(...rules.writes)) return found('writes', `${program} writes a file with this option.`);
    if (rules.network && args.has(...rules.network))
      return found('network', `${program} asks other machines with this option.`);
    if (rules.mayWriteOperand === undefined) return readOnly;
    if (args.words.some(maySplit)) return found('writes', `How many files ${program} gets is known only when it runs.`);
    const operand = args.operandsBeside(rules.valued ?? [])[rules.mayWriteOperand];
    return operand === undefined ? readOnly : found('writes', `${program} writes ${operand}.`);
  };
}

/** Writes unless an option turns it into a reader. */
export function writer(
  readsWith: Options = [],
  worse: { executes?: Options; destructive?: Options; writes?: Options; valued?: Options } = {},
): Rule {
  return (args, { program }) => {
    if (worse.destructive && args.has(...worse.destructive))
      return found('destructive', `${program} removes with this option.`);
    if (worse.executes && args.has(...worse.executes))
      return found('executes', `${program} starts another program with this option.`);
    const reads = args.surely(readsWith, worse.valued ?? []) && !args.has(...(worse.writes ?? []));
    if (reads && !args.dynamic) return readOnly;
    return found('writes', `${program} writes files.`);
  };
}

/** Shows without arguments, sets with them. */
export const shows =
  (grade: 'writes' | 'executes', readsWith: Options = []): Rule =>
  (args, { program }) =>
    args.words.length === 0 || (args.words.length === 1 && readsWith.some((option) => args.texts[0] === `-${option}`))
      ? readOnly
      : found(grade, `${program} changes the system's state.`);
