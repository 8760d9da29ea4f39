import type { Args } from './command-args.ts';
import { atLeast, type Finding, found, readOnly, worst } from './command-class.ts';
import type { RuleContext } from './command-rule.ts';
import { maySplit } from './read-words.ts';

/** Options known to load and run nothing; every other one may name a program file, a library or a debugger. */
const plainOption =
  /^(?:-[bcCghInNOPrsStVM]+|-[vF][\s\S]*|--|--(?:field-separator|assign|posix|traditional|re-interval|characters-as-bytes|bignum|sandbox|csv|version|help)(?:=[\s\S]*)?)$/;
const valued = /^(?:-[vF]|--assign|--field-separator)$/;

/** An awk program counts by what it does: `print >` writes, `system` and pipes execute. */
export function judgeAwk(args: Args, context: RuleContext): Finding {
  if (args.texts.includes('inplace')) return found('writes', 'awk changes files in place.');
  const options = args.words.slice(0, programAt(args)).map((word) => word.text ?? '');
  if (options.some((text, at) => !valued.test(options[at - 1] ?? '') && !plainOption.test(text)))
    return found('executes', 'awk loads or runs something that is not read here.');
  const program = programOf(args);
  if (program === null) return found('executes', 'What awk runs is known only when it runs.');
  return judgeProgram(program, context);
}

/** Where the program stands: the first word that is neither an option nor the value of one. */
function programAt(args: Args): number {
  const at = args.words.findIndex((word, index) => {
    const before = args.words[index - 1]?.text ?? '';
    return !valued.test(before) && (before === '--' || word.text === null || !/^-./.test(word.text));
  });
  return at === -1 ? args.words.length : at;
}

function programOf(args: Args): string | null {
  const at = programAt(args);
  const word = args.words[at];
  if (args.words.slice(0, at).some(maySplit) || word?.glob) return null;
  return word === undefined ? '' : word.text;
}

function judgeProgram(program: string, { judgeText }: RuleContext): Finding {
  if (!/system|[|>@]|\/inet/.test(program)) return readOnly;
  const { code, strings, sure } = split(program.replace(/\\\n/g, ' '));
  if (!sure) return found('executes', 'This awk program could not be read.');
  const findings: Finding[] = [];
  const texts = strings.map((text) => judgeText(text)).filter((finding) => finding.class === 'destructive');
  if (/\bsystem\s*\(|(?<!\|)\|(?!\|)|\|&|@(?:load|include)|@\w+\s*\(/.test(code))
    findings.push(atLeast('executes', 'awk runs a command.', texts));
  if (/\bprintf?\b[^;}]*>/.test(code))
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
function split(program: string): { code: string; strings: string[]; sure: boolean } {
  const strings: string[] = [];
  let code = '';
  let sure = true;
  for (let at = 0; at < program.length; at += 1) {
    const character = program[at] ?? '';
    const rest = program.slice(at);
    const text = character === '"' ? /^"(?:\\[\s\S]|[^"\\])*"?/.exec(rest)?.[0] : undefined;
    const slash = character === '/' ? slashAfter(code) : 'division';
    // A division read as a pattern, or the other way round, would hide whatever follows.
    if (slash === 'unsure' && /["/#]/.test(rest.slice(1))) sure = false;
    const pattern = slash === 'pattern' ? /^\/(?:\\.|\[[^\]]*\]|[^/\\\n])*\//.exec(rest)?.[0] : undefined;
    const comment = character === '#' ? /^#[^\n]*/.exec(rest)?.[0] : undefined;
    if (text !== undefined) strings.push(text.slice(1).replace(/"$/, '').replace(/\\(.)/g, '$1'));
    const skipped = text ?? pattern ?? comment;
    code += skipped === undefined ? character : ' "" ';
    at += (skipped?.length ?? 1) - 1;
  }
  return { code, strings, sure };
}

/** What a slash means behind this code: behind a value it divides, behind an operator a pattern begins. */
function slashAfter(code: string): 'division' | 'pattern' | 'unsure' {
  const before = code.trimEnd();
  const word = /[\w$]+$/.exec(before)?.[0];
  if (word !== undefined)
    return /^(?:return|printf?|in|do|else|getline|case|delete|exit)$/.test(word) ? 'unsure' : 'division';
  if (/\+\+$|--$|[)"]$/.test(before)) return 'unsure';
  return before.endsWith(']') ? 'division' : 'pattern';
}
