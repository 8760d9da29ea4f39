import type { RandomBytes } from '../contract/ports.ts';

/** Whatever could be read as one of our marks, in any case, spacing or with a slash. */
const lookAlike = /<(?=\s*\/?\s*external[\s_-]*content)/gi;
/** What people do not see and a model may obey: tag characters, direction overrides, zero-width marks that join nothing. */
const invisible = /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff]+/gu;
const namedInvisible = 4;

/** Marks text that came from outside; the nonce is one the text cannot know, so it cannot close the mark. */
export function wrapExternal(text: string, source: string, randomBytes: RandomBytes): string {
  const nonce = Buffer.from(randomBytes(16)).toString('hex');
  const from = source.replace(/[^\w.:/@-]+/g, '_').slice(0, 200);
  // Invisible characters first: one of them inside a mark would hide it from the next look.
  const seen = text.replace(invisible, nameInvisible).replaceAll(nonce, '');
  const inside = seen.replace(lookAlike, '&lt;');
  return `<external_content source="${from}" nonce="${nonce}">\n${inside}\n</external_content nonce="${nonce}">`;
}

/** Taken out and told of, so that neither a person nor a model reads what the other does not. */
function nameInvisible(run: string): string {
  const points = [...run].map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`);
  const named = points.slice(0, namedInvisible).join(' ');
  return `[invisible: ${named}${points.length > namedInvisible ? ` and ${points.length - namedInvisible} more` : ''}]`;
}
