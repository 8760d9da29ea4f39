import type { Args } from './command-args.ts';
import { atLeast, type Finding, found, readOnly, worst } from './command-class.ts';
import type { RuleContext } from './command-rule.ts';

/** A sed program counts by what it does: `w` writes, `e` executes, and a program from a file is not read here. */
export function judgeSed(args: Args, context: RuleContext): Finding {
  if (args.has('f', 'file')) return found('executes', 'sed runs a program from a file.');
  if (args.dynamic) return found('executes', 'What sed gets is known only when it runs.');
  const inPlace = args.has('i', 'in-place') ? found('writes', 'sed changes the file in place.') : readOnly;
  return worst([inPlace, ...scriptsOf(args).map((script) => judgeScript(script, context))]);
}

const longScript = /^--e(?:x(?:p(?:r(?:e(?:s(?:s(?:i(?:o(?:n)?)?)?)?)?)?)?)?)?(?:=([\s\S]*))?$/;
const longLength = /^--l[a-z-]*$/;

/** The texts behind -e, or the first operand where there is none. */
function scriptsOf(args: Args): string[] {
  const scripts: string[] = [];
  const operands: string[] = [];
  const texts = args.words.map((word) => word.text ?? '');
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? '';
    const long = longScript.exec(text);
    // -l and -e take what is glued to them or else the next word; -i takes only what is glued.
    const short = /^-[nrsuzEb]*([eli])([\s\S]*)$/.exec(text);
    if (text === '--') {
      operands.push(...texts.slice(at + 1));
      break;
    }
    const glued = long?.[1] ?? (short?.[1] === 'i' ? '' : short?.[2]);
    const takesNext = long ? glued === undefined : longLength.test(text) || (short?.[1] !== 'i' && glued === '');
    if (takesNext) at += 1;
    const value = takesNext ? (texts[at] ?? '') : glued;
    if (long || short?.[1] === 'e') scripts.push(value ?? '');
    else if (takesNext) continue;
    else if (!text.startsWith('-') || text === '-') operands.push(text);
  }
  return scripts.length > 0 ? scripts : operands.slice(0, 1);
}

function judgeScript(script: string, context: RuleContext): Finding {
  const findings: Finding[] = [];
  let at = 0;
  while (at < script.length) {
    const address = /^(?:[\s;{}!]|\d+|\$|[,~+]|\/(?:\\.|\[[^\]]*\]|[^/\\])*\/[IM]*|\\(.)(?:\\.|(?!\1).)*\1[IM]*)+/.exec(
      script.slice(at),
    );
    at += address?.[0].length ?? 0;
    if (at >= script.length) break;
    const step = readCommand(script, at, context);
    if (step === null) return found('executes', 'This sed program could not be read.');
    findings.push(step.finding);
    at = step.end;
  }
  return worst(findings);
}

type Step = { finding: Finding; end: number };

function readCommand(script: string, at: number, context: RuleContext): Step | null {
  const letter = script[at] ?? '';
  const line = lineEnd(script, at + 1);
  if (letter === 's' || letter === 'y') return readSubstitution(script, at, context);
  if (letter === 'e') {
    const text = script.slice(at + 1, line).trim();
    return {
      finding: atLeast('executes', 'sed runs a command.', text === '' ? [] : [context.judgeText(text)]),
      end: line,
    };
  }
  if (letter === 'w' || letter === 'W') return { finding: writesTo(script.slice(at + 1, line)), end: line };
  if ('aicrR#'.includes(letter)) return { finding: readOnly, end: line };
  if ('btTv:'.includes(letter)) return { finding: readOnly, end: nextCommand(script, at + 1) };
  if (!'=dDgGhHnNpPxzFqQlL'.includes(letter)) return null;
  const rest = /^[ \t]*\d*[ \t]*/.exec(script.slice(at + 1))?.[0].length ?? 0;
  return stepTo(script, readOnly, at + 1 + rest);
}

function readSubstitution(script: string, at: number, context: RuleContext): Step | null {
  const delimiter = script[at + 1];
  if (delimiter === undefined || delimiter === '\n' || delimiter === '\\') return null;
  const pattern = partEnd(script, at + 2, delimiter);
  // Whether a delimiter inside brackets ends the pattern depends on the sed.
  if (pattern !== null && /\[[^\]]*$/.test(script.slice(at + 2, pattern))) return null;
  const replacement = pattern === null ? null : partEnd(script, pattern + 1, delimiter);
  if (pattern === null || replacement === null) return null;
  if (script[at] === 'y') return stepTo(script, readOnly, replacement + 1);
  const flags = /^[gpiImM0-9e]*/.exec(script.slice(replacement + 1))?.[0] ?? '';
  const end = replacement + 1 + flags.length;
  const runs = flags.includes('e')
    ? atLeast(
        'executes',
        'sed runs what it has replaced.',
        [context.judgeText(script.slice(pattern + 1, replacement))].filter((one) => one.class === 'destructive'),
      )
    : readOnly;
  if (script[end] === 'w') {
    const line = lineEnd(script, end);
    return { finding: worst([runs, writesTo(script.slice(end + 1, line))]), end: line };
  }
  return stepTo(script, runs, end);
}

/** A command ends where the next may begin; anything else there means that it was misread. */
function stepTo(script: string, finding: Finding, end: number): Step | null {
  return end >= script.length || /^[\s;}#]/.test(script.slice(end)) ? { finding, end } : null;
}

function writesTo(text: string): Finding {
  const path = text.trim();
  return /^\/dev\/(?:stdout|stderr)$/.test(path) ? readOnly : found('writes', `sed writes ${path}.`);
}

/** Where the part that began at `from` ends; a backslash hides the delimiter. */
function partEnd(script: string, from: number, delimiter: string): number | null {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === delimiter) return at;
  }
  return null;
}

function lineEnd(script: string, from: number): number {
  const end = script.indexOf('\n', from);
  return end === -1 ? script.length : end;
}

function nextCommand(script: string, from: number): number {
  const end = /[;\n}]/.exec(script.slice(from));
  return end ? from + end.index : script.length;
}
