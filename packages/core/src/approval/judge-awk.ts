import type { Args } from './command-args.ts';
import { atLeast, type Finding, found, readOnly, worst } from './command-class.ts';
import type { RuleContext } from './command-rule.ts';

/** Program files, libraries, debuggers, and program text glued to its option. */
const loads = /^-(?:f|E|l|i|D|o|p|d|e.)/;
const plainLong =
  /^--(?:field-separator|assign|posix|traditional|re-interval|characters-as-bytes|bignum|sandbox|csv|version|help)\b/;
const valued = /^(?:-[vFMbEo]|--assign|--field-separator)$/;

/** An awk program counts by what it does: `print >` writes, `system` and pipes execute. */
export function judgeAwk(args: Args, context: RuleContext): Finding {
  if (args.texts.includes('inplace')) return found('writes', 'awk changes files in place.');
  if (
    args.texts.some((text) => loads.test(text) || (text.startsWith('--') && text.length > 2 && !plainLong.test(text)))
  ) {
    return found('executes', 'awk loads or runs something that is not read here.');
  }
  const program = programOf(args);
  if (program === null) return found('executes', 'What awk runs is known only when it runs.');
  return judgeProgram(program, context);
}

function programOf(args: Args): string | null {
  for (let at = 0; at < args.words.length; at += 1) {
    const text = args.words[at]?.text;
    if (text === null || text === undefined) return null;
    if (valued.test(text)) at += 1;
    else if (!text.startsWith('-') || text === '-') return text;
  }
  return '';
}

function judgeProgram(program: string, { judgeText }: RuleContext): Finding {
  const { code, strings } = split(program);
  const findings: Finding[] = [];
  const texts = strings.map((text) => judgeText(text)).filter((finding) => finding.class === 'destructive');
  if (/\bsystem\s*\(|(?<!\|)\|(?!\|)|\|&|@(?:load|include)|@\w+\s*\(/.test(code))
    findings.push(atLeast('executes', 'awk runs a command.', texts));
  if (/\bprintf?\b[^;}\n]*>/.test(code))
    findings.push(
      strings.some((text) => text.startsWith('/inet'))
        ? found('network', 'awk connects.')
        : found('writes', 'awk writes a file.'),
    );
  if (strings.some((text) => text.startsWith('/inet')))
    findings.push(found('network', 'awk connects to another machine.'));
  return findings.length === 0 ? readOnly : worst(findings);
}

/** The program without its strings, patterns and comments, in which operators would be data. */
function split(program: string): { code: string; strings: string[] } {
  const strings: string[] = [];
  let code = '';
  for (let at = 0; at < program.length; at += 1) {
    const character = program[at] ?? '';
    const rest = program.slice(at);
    const text = character === '"' ? /^"(?:\\[\s\S]|[^"\\])*"?/.exec(rest)?.[0] : undefined;
    const pattern =
      character === '/' && /(?:^|[~(,{;!&|\n]\s*)$/.test(code)
        ? /^\/(?:\\.|\[[^\]]*\]|[^/\\\n])*\//.exec(rest)?.[0]
        : undefined;
    const comment = character === '#' ? /^#[^\n]*/.exec(rest)?.[0] : undefined;
    if (text !== undefined) strings.push(text.slice(1).replace(/"$/, '').replace(/\\(.)/g, '$1'));
    const skipped = text ?? pattern ?? comment;
    code += skipped === undefined ? character : ' "" ';
    at += (skipped?.length ?? 1) - 1;
  }
  return { code, strings };
}
