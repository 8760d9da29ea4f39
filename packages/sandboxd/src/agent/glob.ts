import { AgentError } from '../agent-error.ts';

/**
 * A glob as a regular expression over `/` paths: `*` and `?` stay within a part, `**` crosses parts, `{a,b}` and
 * `[a-z]` as usual. @throws AgentError invalid_input
 */
export function globToRegExp(glob: string): RegExp {
  const source = translate(glob, 0, false).source;
  try {
    return new RegExp(`^${source}$`, 's');
  } catch (cause) {
    throw badGlob(glob, cause);
  }
}

function badGlob(glob: string, cause?: unknown): AgentError {
  return new AgentError('invalid_input', `"${glob}" is no valid glob.`, {
    cause,
    next: 'Use a glob such as "*.md" or "src/**/*.ts".',
  });
}

type Translated = { source: string; end: number };

function translate(glob: string, start: number, inBraces: boolean): Translated {
  let source = '';
  for (let at = start; at < glob.length; at += 1) {
    const character = glob[at] ?? '';
    if (inBraces && (character === ',' || character === '}')) return { source, end: at };
    if (character === '*') {
      const stars = translateStars(glob, at);
      source += stars.source;
      at = stars.end;
    } else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const group = translateClass(glob, at);
      source += group.source;
      at = group.end;
    } else if (character === '{') {
      const group = translateBraces(glob, at);
      source += group.source;
      at = group.end;
    } else if (character === '\\' && at + 1 < glob.length) {
      at += 1;
      source += escapeLiteral(glob[at] ?? '');
    } else source += escapeLiteral(character);
  }
  if (inBraces) throw badGlob(glob);
  return { source, end: glob.length };
}

function translateStars(glob: string, at: number): Translated {
  if (glob[at + 1] !== '*') return { source: '[^/]*', end: at };
  const opens = at === 0 || glob[at - 1] === '/';
  if (opens && glob[at + 2] === '/') return { source: '(?:[^/]*/)*', end: at + 2 };
  if (opens && at + 2 === glob.length) return { source: '.*', end: at + 1 };
  return { source: '[^/]*', end: at + 1 };
}

function translateClass(glob: string, at: number): Translated {
  const negated = glob[at + 1] === '!' || glob[at + 1] === '^';
  const first = at + (negated ? 2 : 1);
  const end = glob.indexOf(']', first + 1);
  if (end === -1) throw badGlob(glob);
  const inner = glob
    .slice(first, end)
    .replaceAll('\\', '\\\\')
    .replaceAll('[', '\\[')
    .replaceAll(']', '\\]')
    .replaceAll('^', '\\^');
  return { source: negated ? `[^/${inner}]` : `(?!/)[${inner}]`, end };
}

function translateBraces(glob: string, at: number): Translated {
  const choices: string[] = [];
  for (let next = at; ; ) {
    const choice = translate(glob, next + 1, true);
    choices.push(choice.source);
    next = choice.end;
    if (glob[next] === '}') return { source: `(?:${choices.join('|')})`, end: next };
  }
}

function escapeLiteral(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
}

/** Matches a workspace path: a glob without `/` looks at the name alone, one with `/` at the path. */
export function pathMatcher(glob: string): (path: string, name: string) => boolean {
  const anchored = glob.startsWith('/');
  const pattern = globToRegExp(anchored ? glob.slice(1) : glob);
  if (!anchored && !glob.includes('/')) return (_path, name) => pattern.test(name);
  return (path) => pattern.test(path);
}
