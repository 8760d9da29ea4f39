import ts from 'typescript';
import { isTest } from './source-files.ts';

export const fileLimit = 300;
export const functionLimit = 40;

/** Files and functions that do not fit one look. Tests, tables and data are exempt. */
export function checkSize(path: string, text: string, tables: readonly string[]): string[] {
  if (isTest(path) || tables.includes(path) || /\.(json|prisma|yaml)$/.test(path)) return [];
  const lines = text.trimEnd().split('\n').length;
  const problems = lines > fileLimit ? [`${path}: ${lines} lines; ${fileLimit} are the most, split it by act`] : [];
  return /\.(ts|tsx|mjs)$/.test(path) ? [...problems, ...longFunctions(path, text)] : problems;
}

function longFunctions(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    const body = bodyOf(node);
    const length = body ? lineSpan(source, body) - foreignLines(source, body) : 0;
    const line = lineOf(source, node.getStart());
    if (length > functionLimit)
      problems.push(`${path}:${line}: a function of ${length} lines; ${functionLimit} are the most`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

function bodyOf(node: ts.Node): ts.Node | undefined {
  return ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
}

/** Lines that are not this function's own: functions inside it are judged by themselves, markup is long the way a table is. */
function foreignLines(source: ts.SourceFile, body: ts.Node): number {
  let lines = 0;
  const visit = (node: ts.Node): void => {
    const isMarkup = ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node);
    const inner = isMarkup ? node : bodyOf(node);
    if (inner) lines += lineSpan(source, inner) - 1;
    else ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return lines;
}

function lineSpan(source: ts.SourceFile, node: ts.Node): number {
  return lineOf(source, node.end) - lineOf(source, node.getStart()) + 1;
}

function lineOf(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}
