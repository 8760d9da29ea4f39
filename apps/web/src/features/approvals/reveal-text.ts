export type Segment = { kind: 'plain'; text: string } | { kind: 'escape'; text: string; name: EscapeName };
export type EscapeName = 'control' | 'bidi' | 'invisible';

const bidi = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
// Soft hyphen, joiners, blank letters, variation selectors, tags: what takes part in the bytes and not in the picture.
const invisible =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2028\\u2029\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}';
const control = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f';
const lone = '\\ud800-\\udfff';
const blanks = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000';

const bidiPattern = new RegExp(`[${bidi}]`, 'u');
const controlPattern = new RegExp(`[${control}]`, 'u');
const hidden = new RegExp(`[${bidi}${invisible}${control}${lone}${blanks}]`, 'gu');

/** Splits text so that every character without a picture of its own is written out as an escape. Newlines and tabs stay. */
export function revealText(text: string): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) segments.push({ kind: 'plain', text: text.slice(from, match.index) });
    segments.push({ kind: 'escape', text: escapeOf(match[0]), name: nameOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) segments.push({ kind: 'plain', text: text.slice(from) });
  return segments;
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

function nameOf(character: string): EscapeName {
  if (bidiPattern.test(character)) return 'bidi';
  return controlPattern.test(character) ? 'control' : 'invisible';
}

/** JSON in which every such character is an escape: the same value, and nothing that could turn or hide text. */
export function escapeJson(json: string): string {
  return json.replace(hidden, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
