import { AgentError } from '../agent-error.ts';
import { globToRegExp } from './glob.ts';

type Rule = { negated: boolean; folderOnly: boolean; byName: boolean; pattern: RegExp };
/** Rules of one folder's ignore files; `base` is that folder, workspace-relative, '' for the root. */
export type IgnoreRules = { base: string; rules: Rule[] };

export const ignoreFiles = ['.gitignore', '.ignore'];

/** Source: gitignore(5), pattern format. */
export function parseIgnore(text: string, base: string): IgnoreRules {
  return { base, rules: text.split(/\r?\n/).flatMap((line) => parseLine(line)) };
}

function parseLine(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  let body = line.replace(/(?<!\\)\s+$/, '');
  const negated = body.startsWith('!');
  if (negated) body = body.slice(1);
  if (body.startsWith('\\#') || body.startsWith('\\!')) body = body.slice(1);
  const folderOnly = body.endsWith('/');
  if (folderOnly) body = body.slice(0, -1);
  if (body === '') return [];
  const byName = !body.includes('/');
  const pattern = compile(body.startsWith('/') ? body.slice(1) : body);
  return pattern ? [{ negated, folderOnly, byName, pattern }] : [];
}

/** Git ignores a line that is no pattern; so do we. */
function compile(glob: string): RegExp | null {
  try {
    return globToRegExp(glob);
  } catch (error) {
    if (error instanceof AgentError) return null;
    throw error;
  }
}

/** The innermost file with an opinion decides, and in it the last line. */
export function isIgnored(stack: readonly IgnoreRules[], path: string, directory: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let at = stack.length - 1; at >= 0; at -= 1) {
    const layer = stack[at];
    if (!layer) continue;
    const inner = layer.base === '' ? path : path.slice(layer.base.length + 1);
    const rule = layer.rules.findLast(
      (one) => (directory || !one.folderOnly) && one.pattern.test(one.byName ? name : inner),
    );
    if (rule) return !rule.negated;
  }
  return false;
}
