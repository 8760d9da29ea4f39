import ts from 'typescript';

// Written so that this line is no such note itself.
const promise = /(\/\/|\/\*|^\s*\*|#|<!--).*\b(T[O]DO|FIX[M]E)\b/;

// Where the loader or the framework asks for a default export.
const wantsDefault = [
  /^packages\/tools\/src\/[\w-]+\/[\w-]+\.ts$/,
  /^apps\/web\/src\/app\//,
  /^apps\/web\/src\/i18n\//,
  /\.config\.(ts|mjs)$/,
  /^apps\/runner\/test\/database-template\.ts$/,
];

/** Default exports where nobody needs them, and notes to oneself in comments. */
export function checkWords(path: string, text: string): string[] {
  const notes = text.split('\n').flatMap((line, index) => (promise.test(line) ? [index + 1] : []));
  return [
    ...defaultExports(path, text).map((line) => `${path}:${line}: a default export; give it a name`),
    ...notes.map((line) => `${path}:${line}: a note to oneself; do it, or write down why it is so`),
  ];
}

function defaultExports(path: string, text: string): number[] {
  if (!/\.(ts|tsx|mjs)$/.test(path) || !text.includes('default') || wantsDefault.some((one) => one.test(path)))
    return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return source.statements.filter(exportsDefault).map(lineOf);
}

function exportsDefault(node: ts.Statement): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
    return node.exportClause.elements.some(({ name }) => name.text === 'default');
  }
  return (
    ts.canHaveModifiers(node) && !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}
