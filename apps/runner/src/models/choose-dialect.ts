import type { Dialect } from '@oneslot/core';

/** First match holds. Source: how the vendors and the gateways that pass their models on spell the names, autumn 2026. */
const families: readonly (readonly [name: RegExp, dialect: Dialect])[] = [
  [/claude/, 'anthropic'],
  [/gemini|gemma/, 'gemini'],
  [/deepseek/, 'deepseek'],
];
const vendors: readonly (readonly [host: RegExp, dialect: Dialect])[] = [
  [/(^|\.)anthropic\.com$/, 'anthropic'],
  [/(^|\.)googleapis\.com$/, 'gemini'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/(^|\.)openai\.com$/, 'openai-strict'],
];

/**
 * Whose schema language a model reads: by its name first, because a gateway speaks one protocol for models of many
 * vendors, then by the host. Who says nothing gets OpenAI's plain one, which every compatible server has met.
 */
export function chooseDialect(model: { name: string; baseUrl: string }): Dialect {
  const name = model.name.toLowerCase();
  const host = new URL(model.baseUrl).hostname;
  return (
    families.find(([pattern]) => pattern.test(name))?.[1] ??
    vendors.find(([pattern]) => pattern.test(host))?.[1] ??
    'openai'
  );
}
