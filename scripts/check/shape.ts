import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Act, checkActs } from './acts.ts';
import { checkDependencies } from './dependencies.ts';
import { checkDocPaths } from './doc-paths.ts';
import { checkErrorsDoc } from './errors-doc.ts';
import { checkSize } from './size.ts';
import { listFiles } from './source-files.ts';
import { checkWords } from './words.ts';

/** `tables` are files whose length is data: lists, vocabularies, declarations without a decision in them. */
export type ShapeRules = { acts: readonly Act[]; tables: readonly string[] };

const judged = /\.(ts|tsx|mjs|css|md|sh|prisma|Dockerfile|json|yaml)$/;
// The measuring kit keeps the shape it came with; vectors and locale files are data.
const exempt = /^(bench\/scripted-model|cases)\/|^pnpm-lock\.yaml$|\.cases\.json$/;

export function checkShape(root: string, rules: ShapeRules, errorCodes: Readonly<Record<string, string>>): string[] {
  const paths = listFiles(root, judged).filter((path) => !exempt.test(path));
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const exists = (path: string): boolean => existsSync(join(root, path));
  const problems = checkActs(files, rules.acts);
  for (const [path, text] of files) {
    if (!path.endsWith('.md')) problems.push(...checkSize(path, text, rules.tables));
    problems.push(...checkWords(path, text));
    if (/^docs\/.*\.md$|^(AGENTS|README)\.md$/.test(path)) problems.push(...checkDocPaths(path, text, exists));
  }
  const manifests = new Map([...files].filter(([path]) => /(^|\/)package\.json$/.test(path)));
  problems.push(...checkDependencies(manifests, files.get('docs/decisions/0007-dependencies.md') ?? ''));
  problems.push(...checkErrorsDoc(files.get('docs/errors.md') ?? '', errorCodes));
  return [...problems, ...checkMap(files.get('AGENTS.md') ?? '')];
}

function checkMap(text: string): string[] {
  const lines = text.trimEnd().split('\n').length;
  return lines > 120 ? [`AGENTS.md: ${lines} lines; a map of more than 120 is not read`] : [];
}
