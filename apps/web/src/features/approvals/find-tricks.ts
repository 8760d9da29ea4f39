import { revealText } from './reveal-text.ts';

export type Trick =
  | 'bidi'
  | 'invisible'
  | 'control'
  | 'blankLines'
  | 'farRight'
  | 'homoglyph'
  | 'markup'
  | 'claim'
  | 'long';

const blankRun = /(?:\r?\n[ \t]*){5,}/;
const farRight = /[ \t]{24,}\S/;
const word = /[\p{L}\p{M}\p{N}_]+/gu;
const latin = /\p{Script=Latin}/u;
const lookAlike =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u{1d400}-\u{1d7ff}\uff01-\uff5e]/u;
const markup =
  /<\/?(?:a|b|br|button|details|div|em|font|form|h[1-6]|hr|iframe|img|input|li|link|meta|ol|p|script|span|strong|style|svg|table|td|tr|u|ul|video)(?:\s[^<>]*)?\/?>|<!--/i;
const claim = /\b(?:pre-?)?(?:approved|authori[sz]ed|verified|reviewed)\s+by\b|\b(?:safe|ok)\s+to\s+(?:run|approve)\b/i;

/** What in these texts could make a person read something else than what will run. Order is the order of display. */
export function findTricks(texts: readonly string[]): Trick[] {
  const found = new Set<Trick>();
  for (const text of texts) {
    for (const segment of revealText(text)) if (segment.kind === 'escape') found.add(segment.name);
    if (blankRun.test(text)) found.add('blankLines');
    if (farRight.test(text)) found.add('farRight');
    if (hasHomoglyph(text)) found.add('homoglyph');
    if (markup.test(text)) found.add('markup');
    if (claim.test(text)) found.add('claim');
    if (text.length > 4_000 || countLines(text) > 60) found.add('long');
  }
  return tricks.filter((trick) => found.has(trick));
}

export function countLines(text: string): number {
  return text === '' ? 0 : text.split(/\r\n|\r|\n/).length;
}

/** Every string inside a JSON value, keys included. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((one) => stringsOf(one));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...stringsOf(one)]);
}

const tricks: readonly Trick[] = [
  'bidi',
  'invisible',
  'control',
  'homoglyph',
  'blankLines',
  'farRight',
  'claim',
  'markup',
  'long',
];

/** A word of two scripts, or one written only in letters that imitate Latin ones between Latin words. */
function hasHomoglyph(text: string): boolean {
  const words = text.match(word) ?? [];
  return words.some((one) => latin.test(one) && lookAlike.test(one)) || words.some((one) => imitation.test(one));
}

const imitation = /^[асеорхуіјѕһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТУХ]{2,}$/u;
