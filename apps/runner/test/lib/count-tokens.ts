/** Tokens of a text as o200k counts them; its table is large, so only who counts loads it. */
export async function countTokens(): Promise<(text: string) => number> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => count(text);
}
