import type { RandomBytes } from '../contract/ports.ts';

/** Whatever could be read as one of our marks, in any case, spacing or with a slash. */
const lookAlike = /<(?=\s*\/?\s*external[\s_-]*content)/gi;

/** Marks text that came from outside; the nonce is one the text cannot know, so it cannot close the mark. */
export function wrapExternal(text: string, source: string, randomBytes: RandomBytes): string {
  const nonce = Buffer.from(randomBytes(16)).toString('hex');
  const from = source.replace(/[^\w.:/@-]+/g, '_').slice(0, 200);
  const inside = text.replaceAll(nonce, '').replace(lookAlike, '&lt;');
  return `<external_content source="${from}" nonce="${nonce}">\n${inside}\n</external_content nonce="${nonce}">`;
}
