import { endOfString, maxDepth } from './read-json.ts';

export type Damage = { reason: 'too_deep' | 'unterminated_string' | 'missing_value'; position: number };

/** What the brackets and strings alone tell of a text no rung could mend; null when they tell nothing. */
export function diagnoseArguments(text: string): Damage | null {
  let depth = 0;
  const objects: boolean[] = [];
  let last = '';
  let beforeLast = '';
  let lastAt = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char.trim() === '') continue;
    beforeLast = last;
    last = char;
    lastAt = at;
    if (char === '"') {
      const end = endOfString(text, at);
      if (end === null) return { reason: 'unterminated_string', position: at };
      at = end;
    }
    if (char === '{' || char === '[') {
      objects.push(char === '{');
      depth += 1;
      if (depth > maxDepth) return { reason: 'too_deep', position: at };
    }
    if (char === '}' || char === ']') {
      objects.pop();
      depth -= 1;
    }
  }
  const inObject = objects.at(-1) === true;
  const afterKey = inObject && last === '"' && (beforeLast === '{' || beforeLast === ',');
  return (inObject && last === ':') || afterKey ? { reason: 'missing_value', position: lastAt } : null;
}
