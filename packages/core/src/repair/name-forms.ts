/** A registered name in the spellings that rungs and suggestions compare. */
export type NameForms = { name: string; lower: string; plain: string; snake: string; letters: string };

const known = new WeakMap<object, { size: number; forms: readonly NameForms[] }>();

/** Of a catalog's set the forms are kept: to spell two thousand names takes longer than to compare them. */
export function formsOf(registered: Iterable<string>): readonly NameForms[] {
  if (!(registered instanceof Set)) return [...registered].map(spellName);
  const kept = known.get(registered);
  if (kept && kept.size === registered.size) return kept.forms;
  const forms = [...registered].map(spellName);
  known.set(registered, { size: registered.size, forms });
  return forms;
}

function spellName(name: string): NameForms {
  const plain = plainName(name);
  const letters = plain.replaceAll('_', '');
  return { name, lower: name.toLowerCase(), plain, snake: snakeCase(name), letters };
}

/** Lower case, every run of separators one underscore, none at the ends. */
export function plainName(name: string): string {
  if (/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/[\s\-_./\\:]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** `HTTPGet` is `http_get`: a run of capitals is one word, its last letter starts the next. */
export function snakeCase(name: string): string {
  if (/^[!-@[-~]*$/.test(name)) return plainName(name);
  return plainName(
    name
      .normalize('NFKC')
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2'),
  );
}

export function lettersOf(name: string): string {
  return plainName(name).replaceAll('_', '');
}
