import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** One import of a file. `target` is a path inside the repository, null for packages and built-ins. */
export type Import = { specifier: string; line: number; typeOnly: boolean; target: string | null };
export type ImportGraph = ReadonlyMap<string, readonly Import[]>;

/** Reads what each file really imports: static, dynamic with a literal, re-exports and `import('…')` types. */
export function readImportGraph(root: string, files: readonly string[]): ImportGraph {
  const packages = readPackages(root, files);
  const read = (file: string): Import[] =>
    readImports(join(root, file)).map((found) => ({
      ...found,
      target: resolveImport(root, file, found.specifier, packages),
    }));
  return new Map(files.map((file) => [file, read(file)]));
}

type Found = Omit<Import, 'target'>;

function readImports(path: string): Found[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const one = importOf(node);
    if (one) found.push({ ...one, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importOf(node: ts.Node): { specifier: string; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return {
      specifier: node.moduleSpecifier.text,
      typeOnly: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, typeOnly: true };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    if (argument && ts.isStringLiteral(argument)) return { specifier: argument.text, typeOnly: false };
  }
  return undefined;
}

/** Our own packages: name to entry of the export map to file. */
type Packages = ReadonlyMap<string, Readonly<Record<string, string>>>;

function readPackages(root: string, files: readonly string[]): Packages {
  const folders = new Set(
    files.flatMap((file) => [file.split('/').slice(0, 1).join('/'), file.split('/').slice(0, 2).join('/')]),
  );
  const packages = new Map<string, Record<string, string>>();
  for (const folder of folders) {
    const manifest = join(root, folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    const entries = Object.entries(exports).map(([key, value]) => [key, normalize(join(folder, entryPath(value)))]);
    if (name) packages.set(name, Object.fromEntries(entries));
  }
  return packages;
}

function entryPath(value: unknown): string {
  if (typeof value === 'string') return value;
  const [first] = Object.values(value ?? {});
  return typeof first === 'string' ? first : '';
}

function resolveImport(root: string, file: string, specifier: string, packages: Packages): string | null {
  if (specifier.startsWith('.')) return existing(root, normalize(join(dirname(file), specifier)));
  if (specifier.startsWith('@/')) return existing(root, normalize(join('apps/web/src', specifier.slice(2))));
  const name = packageName(specifier);
  return packages.get(name)?.[`.${specifier.slice(name.length)}`] ?? null;
}

function existing(root: string, path: string): string {
  const endings = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];
  const ending = endings.find((one) => /\.\w+$/.test(path + one) && existsSync(join(root, path + one)));
  return path + (ending ?? '');
}

/** `@a/b/c` is of package `@a/b`, `a/b` of `a`, `node:fs` is itself. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Each group of files that import each other in a circle, directly or not. Type imports count: they tie the files all the same. */
export function findCycles(graph: ImportGraph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) ?? 0);
    stack.push(file);
    for (const { target } of graph.get(file) ?? []) {
      if (target === null || !graph.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || graph.get(file)?.some(({ target }) => target === file)) cycles.push(group);
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return cycles;
}
