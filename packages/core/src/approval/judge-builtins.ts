import type { Args } from './command-args.ts';
import { atLeast, type Finding, found, readOnly } from './command-class.ts';
import type { RuleContext } from './command-rule.ts';

export function judgeDate(args: Args): Finding {
  if (args.has('s', 'set')) return found('writes', 'date sets the clock.');
  const sets = args.operands.find((operand) => /^\d{8,}/.test(operand));
  return sets === undefined && !args.dynamic ? readOnly : found('writes', 'date may set the clock.');
}

export function judgePrintf(args: Args): Finding {
  const [option, name] = args.words;
  // An option that only run time knows may name what is set.
  if (option?.text === null && args.words.slice(1).some((word) => /\[[\s\S]*[$`]/.test(word.source)))
    return found('executes', 'A subscript may be evaluated.');
  if (!option?.text?.startsWith('-v')) return readOnly;
  const target = option.text === '-v' ? (name?.text ?? '[') : option.text.slice(2);
  return target.includes('[')
    ? found('executes', `${target} is evaluated when it is set.`)
    : found('writes', `It sets ${target}.`);
}

export function judgeTest(args: Args): Finding {
  const late = args.words.some(
    (word, index) => /^-[vR]$/.test(word.text ?? '') && /\[/.test(args.words[index + 1]?.source ?? '['),
  );
  return late ? found('executes', 'A subscript is evaluated in this test.') : readOnly;
}

export function judgeTrap(args: Args, { judgeText }: RuleContext): Finding {
  const [action] = args.words;
  if (action === undefined || /^-[lp]+$/.test(action.text ?? '')) return readOnly;
  if (action.text === '-' || action.text === '') return found('writes', 'It takes a trap away.');
  return atLeast('executes', 'A trap runs later.', action.text === null ? [] : [judgeText(action.text)]);
}

export function judgeEval(args: Args, { judgeText }: RuleContext): Finding {
  const texts = args.words.map((word) => word.text);
  if (texts.includes(null)) return found('executes', 'What eval runs is known only when it runs.');
  return atLeast('executes', 'eval runs its text.', [judgeText(texts.join(' '))]);
}

/** What an alias stands for is judged and noted where it is given, because nothing is where its name is used. */
export function judgeAlias(args: Args, { judgeText }: RuleContext): Finding {
  if (args.words.every((word) => word.text !== null && !word.text.includes('='))) return readOnly;
  const values = args.texts
    .filter((text) => text.includes('='))
    .map((text) => judgeText(text.slice(text.indexOf('=') + 1)));
  return atLeast(
    'writes',
    'An alias changes the shell.',
    values.filter((value) => value.class === 'destructive' || value.refuse !== undefined),
  );
}

export function judgeKill(args: Args): Finding {
  // -KILL and its kin hold the letter too; a signal of 0 only asks whether the process is there.
  if (/^(?:-[lL]|--list|--table|-0)$/.test(args.texts[0] ?? '')) return readOnly;
  return found('destructive', 'kill ends processes.');
}

export function judgeHistory(args: Args): Finding {
  if (args.has('c', 'd')) return found('destructive', 'It removes traces.');
  return args.has('a', 'w', 'r', 'n', 's', 'p') ? found('writes', 'It changes the history.') : readOnly;
}

export function judgeHash(args: Args): Finding {
  if (args.has('p')) return found('executes', 'It makes a name run another program.');
  return args.words.length === 0 || args.has('t', 'l')
    ? readOnly
    : found('writes', 'It changes what the shell remembers.');
}

export function judgeSu(args: Args, { judgeText }: RuleContext): Finding {
  const text = args.value('c', 'command');
  return atLeast('executes', 'su runs a shell as somebody else.', text === null ? [] : [judgeText(text)]);
}
