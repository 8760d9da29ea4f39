/**
 * UTF-8 bytes without the beginning of a character at their end, at most three bytes less, so that a window of a text
 * can be decoded by itself and the next one starts where this ends. Never empty where something was given.
 */
export function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length - 1); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

/** Of the character that a byte begins. */
function lengthOf(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}
