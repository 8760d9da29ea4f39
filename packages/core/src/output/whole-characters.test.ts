import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholeCharacters } from './whole-characters.ts';

test('windows of any size join to the text, and each can be decoded by itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 4, max: 9 }), (text, size) => {
      const bytes = Buffer.from(text.toWellFormed());
      let shown = '';
      for (let at = 0; at < bytes.length; ) {
        const window = bytes.subarray(at, at + size);
        const whole = at + size < bytes.length ? wholeCharacters(window) : window;
        shown += new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole);
        at += whole.length;
      }
      expect(shown).toBe(text.toWellFormed());
    }),
  );
});

test('what is no text loses at most three bytes and never all of them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
      const { length } = wholeCharacters(bytes);
      expect(length).toBeGreaterThan(0);
      expect(bytes.length - length).toBeLessThanOrEqual(3);
    }),
  );
});
