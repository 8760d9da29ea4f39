import ts from 'typescript';
import { isTest } from './source-files.ts';

/**
 * An act of governance: the function or class that performs it, where it stands, and the one file that calls it.
 * A class is made where it is wired, so `calls` names the method that counts, such as `lock.acquire`.
 */
export type Act = { act: string; function: string; file: string; caller: string; calls?: string };
type CallSite = { file: string; line: number; within: string };

/** Each act exists, and is called from exactly one function of exactly the file that the list names. */
export function checkActs(files: ReadonlyMap<string, string>, acts: readonly Act[]): string[] {
  const production = [...files].filter(
    ([path]) => /^(apps|packages)\/.*\.tsx?$/.test(path) && !isTest(path) && !path.includes('/testing/'),
  );
  return acts.flatMap((act) => {
    const text = files.get(act.file);
    if (text === undefined) return [`${act.file}: the act "${act.act}" should stand here`];
    if (!new RegExp(`export (async )?(function|const|class) ${act.function}\\b`).test(text))
      return [`${act.file}: does not export ${act.function}`];
    const called = act.calls ?? act.function;
    const sites = production.flatMap(([path, content]) =>
      content.includes(called) ? callSites(path, content, called) : [],
    );
    return judge(act, sites);
  });
}

function judge(act: Act, sites: readonly CallSite[]): string[] {
  const where = ({ file, line, within }: CallSite): string => `${file}:${line} (${within})`;
  const foreign = sites.filter(({ file }) => file !== act.caller);
  if (foreign.length > 0)
    return foreign.map((site) => `${where(site)}: only ${act.caller} calls ${act.calls ?? act.function}`);
  if (sites.length === 0) return [`${act.file}: nobody calls ${act.calls ?? act.function}; ${act.caller} should`];
  const callers = new Set(sites.map(({ within }) => within));
  return callers.size > 1 ? [`${act.function} has ${callers.size} callers: ${sites.map(where).join(', ')}`] : [];
}

/** Calls and constructions by that name, with the outermost function around each. */
function callSites(path: string, text: string, name: string): CallSite[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const sites: CallSite[] = [];
  const visit = (node: ts.Node, within: string): void => {
    const calls = (ts.isCallExpression(node) || ts.isNewExpression(node)) && endsWith(node.expression.getText(), name);
    if (calls) sites.push({ file: path, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, within });
    const around = within === 'the module' ? (nameOf(node) ?? within) : within;
    ts.forEachChild(node, (child) => visit(child, around));
  };
  visit(source, 'the module');
  return sites;
}

/** `state.guard.check` ends with `guard.check`, `myGuard.check` does not. */
function endsWith(called: string, name: string): boolean {
  return called === name || called.endsWith(`.${name}`);
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText();
  return ts.isVariableDeclaration(node) ? node.name.getText() : undefined;
}
