import type { HighlighterCore, LanguageInput } from 'shiki/core';

export type Token = { text: string; color: string | undefined };

const grammars: Record<string, () => Promise<{ default: LanguageInput }>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  dockerfile: () => import('shiki/langs/dockerfile.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};

const aliases: Record<string, string> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  h: 'c',
  cc: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  patch: 'diff',
  docker: 'dockerfile',
  htm: 'html',
  svg: 'xml',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'tsx',
  jsonc: 'json',
  json5: 'json',
  ipynb: 'json',
  kt: 'kotlin',
  md: 'markdown',
  mdx: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  yml: 'yaml',
  conf: 'ini',
  env: 'ini',
  golang: 'go',
};

export function languageOf(nameOrPath: string): string | null {
  const file = nameOrPath.toLowerCase().split('/').at(-1) ?? '';
  if (/^(?:.*\.)?dockerfile$/.test(file)) return 'dockerfile';
  const key = file.includes('.') ? (file.split('.').at(-1) ?? '') : file;
  const language = aliases[key] ?? key;
  return Object.hasOwn(grammars, language) ? language : null;
}

/** Lines of coloured tokens. The colours are our own CSS variables, so both palettes share one result. */
export async function highlight(code: string, language: string): Promise<Token[][]> {
  const grammar = grammars[language];
  const highlighter = await loadHighlighter();
  if (!grammar) return code.split('\n').map((text) => [{ text, color: undefined }]);
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage((await grammar()).default);
  const { tokens } = highlighter.codeToTokens(code, { lang: language, theme: 'css-variables' });
  return tokens.map((line) => line.map((token) => ({ text: token.content, color: token.color })));
}

const loading: { highlighter: Promise<HighlighterCore> | null } = { highlighter: null };

/** One highlighter a tab, made when the first code is shown; without WASM, which our policy refuses. */
function loadHighlighter(): Promise<HighlighterCore> {
  loading.highlighter ??= (async () => {
    const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([
      import('shiki/core'),
      import('shiki/engine/javascript'),
    ]);
    const theme = createCssVariablesTheme({ name: 'css-variables', variablePrefix: '--shiki-', fontStyle: false });
    return createHighlighterCore({
      themes: [theme],
      langs: [],
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    });
  })();
  return loading.highlighter;
}
