export const locales = ['en', 'zh-CN'] as const;
export type Locale = (typeof locales)[number];

/** The first of ours that an `accept-language` header asks for; English where none fits. */
export function pickLocale(header: string | null): Locale {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => parsePart(part))
    .filter((part) => part.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    if (tag.startsWith('zh')) return 'zh-CN';
    if (tag.startsWith('en')) return 'en';
  }
  return 'en';
}

export const isLocale = (text: string): text is Locale => locales.some((one) => one === text);

function parsePart(part: string): { tag: string; weight: number } {
  const [tag = '', ...options] = part.trim().toLowerCase().split(';');
  const quality = options.map((one) => /^\s*q=([\d.]+)/.exec(one)?.[1]).find((one) => one !== undefined);
  return { tag, weight: quality === undefined ? 1 : Number(quality) || 0 };
}
