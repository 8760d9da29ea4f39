import { isUtf8 } from 'node:buffer';

/** A stretch of raw bytes and what is shown of it; both as latin1 text, one character a byte. */
export type Piece = { rawBytes: number; shown: string };
export type Cleaner = { push(chunk: string): Piece[]; finish(): Piece[] };

const replacement = Buffer.from('\uFFFD', 'utf8').toString('latin1');

// Terminal sequences first, then whole UTF-8 characters, then lone control bytes, then whatever is no character.
const sequence = '\\x1b\\[[0-?]*[ -/]*[@-~]|\\x1b[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|\\x1b[ -/]*[0-~]|\\x1b';
const character =
  '[\\xc3-\\xdf][\\x80-\\xbf]|\\xc2[\\xa0-\\xbf]|\\xe0[\\xa0-\\xbf][\\x80-\\xbf]|[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}|\\xed[\\x80-\\x9f][\\x80-\\xbf]|' +
  '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}|[\\xf1-\\xf3][\\x80-\\xbf]{3}|\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}';
const broken =
  '\\xe0[\\xa0-\\xbf]|[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]|\\xed[\\x80-\\x9f]|\\xf0[\\x90-\\xbf][\\x80-\\xbf]?|[\\xf1-\\xf3][\\x80-\\xbf]{1,2}|\\xf4[\\x80-\\x8f][\\x80-\\xbf]?';
const unit = new RegExp(
  `([\\t\\n\\r -~]+|(?:${character})+)|(${sequence}|\\xc2[\\x80-\\x9f]|[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f])|(?:${broken}|[\\x80-\\xff])`,
  'g',
);
/** The start of a sequence or character whose rest may come with the next chunk. */
const partSequence = '\\x1b(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\x07\\x1b]{0,4096}\\x1b?|[ -/]*)?';
const partCharacter = '[\\xc2-\\xdf]|[\\xe0-\\xef][\\x80-\\xbf]?|[\\xf0-\\xf4][\\x80-\\xbf]{0,2}';
const unfinished = new RegExp(`(?:${partSequence}|${partCharacter})$`);
const control = '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]';
const controls = new RegExp(`${sequence}|${control}`, 'g');
const needsWork = new RegExp(control);
/** Plain ASCII needs no second look. */
const beyondAscii = new RegExp(`${control}|[\\x80-\\xff]`);
/** Up to here each stretch is accounted for alone, because a cut may fall there; behind it whole chunks are enough. */
const exactBytes = 64 * 1024;

/** Bytes of a program to text a model can read: no terminal control, no broken characters, every raw byte accounted for. */
export function createCleaner(): Cleaner {
  let held = '';
  let seen = 0;
  const clean = (text: string): Piece[] => {
    if (text === '') return [];
    const exact = seen < exactBytes;
    seen += text.length;
    if (!beyondAscii.test(text)) return [{ rawBytes: text.length, shown: text }];
    const valid = isUtf8(Buffer.from(text, 'latin1'));
    if (valid && !needsWork.test(text)) return [{ rawBytes: text.length, shown: text }];
    if (!exact)
      return [{ rawBytes: text.length, shown: valid ? text.replace(controls, '') : text.replace(unit, showUnit) }];
    return [...text.matchAll(unit)].map(([raw, kept, control]) => ({
      rawBytes: raw.length,
      shown: showUnit(raw, kept, control),
    }));
  };
  return {
    push(chunk) {
      const text = held + chunk;
      const tail = unfinished.exec(text.slice(-4200));
      held = tail ? tail[0] : '';
      return clean(text.slice(0, text.length - held.length));
    },
    finish() {
      const rest = held;
      held = '';
      return clean(rest);
    },
  };
}

function showUnit(_raw: string, kept: string | undefined, control: string | undefined): string {
  return kept ?? (control === undefined ? replacement : '');
}
