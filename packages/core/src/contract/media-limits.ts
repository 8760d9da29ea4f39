/** Source: the smallest limits among OpenAI, Anthropic and Google, autumn 2026; base64 characters and pixels a side. */
export const mediaLimits = { longestBase64: 5 * 1024 * 1024, longestSide: 8_000 } as const;
