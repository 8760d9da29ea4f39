/** Whose schema language a model is told tools in. */
export type Dialect = 'plain' | 'openai' | 'openai-strict' | 'anthropic' | 'gemini' | 'deepseek';
