export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';
export type Eol = 'lf' | 'crlf' | 'mixed' | 'none';

const sniffBytes = 8_192;

/** Null where the bytes are no text: a NUL near the start, or mostly not UTF-8. */
export function detectEncoding(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8-bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, sniffBytes);
  if (head.includes(0)) return null;
  const text = new TextDecoder('utf-8').decode(head, { stream: true });
  let damaged = 0;
  for (const character of text) if (character === '\ufffd') damaged += 1;
  // A stray Latin-1 letter in a log is still text; one byte in ten is not.
  return damaged * 10 > text.length ? null : 'utf-8';
}

/** The text without its BOM; bytes that are no UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'utf-16le') return new TextDecoder('utf-16le').decode(bytes);
  if (encoding === 'utf-16be') return new TextDecoder('utf-16le').decode(swapPairs(bytes));
  return new TextDecoder('utf-8').decode(bytes);
}

export function detectEol(text: string): Eol {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf += 1;
    else lf += 1;
  }
  if (crlf > 0 && lf > 0) return 'mixed';
  if (crlf > 0) return 'crlf';
  return lf > 0 ? 'lf' : 'none';
}

/** Lines without their endings; a final line ending opens no further line. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function swapPairs(bytes: Uint8Array): Buffer {
  const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return whole.swap16();
}
