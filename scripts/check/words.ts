const defaultExport = /^export default\b|^export \{[^}]*\bas default\b/;
// Written so that this line is no such note itself.
const promise = /(\/\/|\/\*|^\s*\*|#|<!--).*\b(T[O]DO|FIX[M]E)\b/;

// Where the loader or the framework asks for a default export.
const wantsDefault = [
  /^packages\/tools\/src\/[\w-]+\/[\w-]+\.ts$/,
  /^apps\/web\/src\/app\//,
  /^apps\/web\/src\/i18n\//,
  /\.config\.(ts|mjs)$/,
];

/** Default exports where nobody needs them, and notes to oneself in comments. */
export function checkWords(path: string, text: string): string[] {
  const mayDefault = !/\.(ts|tsx|mjs)$/.test(path) || wantsDefault.some((pattern) => pattern.test(path));
  return text.split('\n').flatMap((line, index) => {
    const problems: string[] = [];
    if (!mayDefault && defaultExport.test(line))
      problems.push(`${path}:${index + 1}: a default export; give it a name`);
    if (promise.test(line)) problems.push(`${path}:${index + 1}: a note to oneself; do it, or write down why it is so`);
    return problems;
  });
}
