import type { Word } from './read-words.ts';

/** More words than anybody writes by hand. */
const mostWords = 256;

/** `{a,b}` as the words the program gets; a form that is not read here stays one word that only run time knows. */
export function expandBraces(word: Word): Word[] {
  if (!word.glob || !/\{.*(?:,|\.\.).*\}/s.test(word.source)) return [word];
  const plain = word.text !== null && !/['"\\$`]/.test(word.source);
  const texts = plain ? expandText(word.source) : null;
  if (texts === null) return [{ text: null, source: `…${word.source}`, glob: true }];
  return texts.map((text) => ({ text, source: text, glob: /[*?[]/.test(text) }));
}

function expandText(text: string): string[] | null {
  const done: string[] = [];
  const open = [text];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (/\{[^{},]+\.\.[^{},]+\}/.test(next) || done.length + open.length > mostWords) return null;
    const group = firstGroup(next);
    if (group === null) done.push(next);
    else open.push(...group.toReversed());
  }
  return done;
}

/** The text once for each member of its first group, or null where it has none. */
function firstGroup(text: string): string[] | null {
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
    const parts: string[] = [];
    let depth = 0;
    let from = start + 1;
    for (let at = start; at < text.length; at += 1) {
      const character = text[at];
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      if (depth > 1 || (character !== ',' && depth > 0)) continue;
      parts.push(text.slice(from, at));
      from = at + 1;
      if (depth > 0) continue;
      if (parts.length > 1) return parts.map((part) => text.slice(0, start) + part + text.slice(at + 1));
      break;
    }
  }
  return null;
}
