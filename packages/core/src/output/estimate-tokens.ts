/** Scripts whose characters are a token each; other text needs about four characters for one. */
const dense = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud87f][\udc00-\udfff]/gu;

/** About how many tokens a text takes; good to a third either way. */
export function estimateTokens(text: string): number {
  let denseUnits = 0;
  let tokens = 0;
  for (const [found] of text.matchAll(dense)) {
    denseUnits += found.length;
    tokens += 1;
  }
  return tokens + Math.ceil((text.length - denseUnits) / 4);
}

/** The longest beginning of at most so many estimated tokens. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let low = 0;
  let high = Math.min(text.length, tokens * 4);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  // Half of a surrogate pair is no character.
  return text.slice(0, /[\ud800-\udbff]/.test(text[low - 1] ?? '') ? low - 1 : low);
}
