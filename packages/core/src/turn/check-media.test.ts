import { describe, expect, it } from 'vitest';
import { buildRequest } from './build-request.ts';
import { checkMedia } from './check-media.ts';

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108002000400301220002110103110100', 'hex');
const gif = Buffer.from('47494638396101000200800000', 'hex');
const webp = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0', 'latin1'),
  Buffer.from([9, 0, 0, 19, 0, 0]),
]);
const part = (bytes: Buffer, mediaType = 'image/png') => ({
  kind: 'image' as const,
  mediaType,
  base64: bytes.toString('base64'),
});

describe('checkMedia', () => {
  it.each([
    ['a PNG', png(3, 4), 'image/png'],
    ['a JPEG', jpeg, 'image/jpeg'],
    ['a GIF', gif, 'image/gif'],
    ['a WebP', webp, 'image/webp'],
  ])('knows %s by its bytes, whatever it is labelled', (_, bytes, mediaType) => {
    expect(checkMedia(part(bytes, 'image/tiff'))).toEqual({ kind: 'fit', part: part(bytes, mediaType) });
  });

  it.each([
    ['a picture of 9000 by 9000', part(png(9_000, 9_000)), /9000×9000/],
    ['a GIF without bytes', part(Buffer.alloc(0), 'image/gif'), /empty/],
    ['a GIF of no size', part(Buffer.from('474946383961000000008000', 'hex')), /broken/],
    ['a cut PNG', part(png(3, 4).subarray(0, 12)), /broken/],
    ['a page that calls itself a PNG', part(Buffer.from('<svg/>')), /no PNG/],
    ['six megabytes', { ...part(png(3, 4)), base64: 'A'.repeat(6_000_000) }, /4500000 bytes/],
  ])('refuses %s', (_, given, reason) => {
    expect(checkMedia(given)).toMatchObject({ kind: 'unfit', reason: expect.stringMatching(reason) });
  });
});

describe('a request with media', () => {
  const calls = [{ callId: 'c', name: 'shot', argumentsText: '{}' }];
  const request = (parts: ReturnType<typeof part>[]) =>
    buildRequest([
      { kind: 'assistant', text: '', reasoning: '', calls },
      { kind: 'result', callId: 'c', content: 'two pictures', parts },
    ]);

  it('sends what fits under its true label and tells what does not', () => {
    expect(request([part(jpeg), part(png(9_000, 9_000))]).at(-1)).toEqual({
      kind: 'result',
      callId: 'c',
      content: 'two pictures\n[An image of this result was left out: it is 9000×9000 pixels; 8000 a side is the most.]',
      parts: [part(jpeg, 'image/jpeg')],
    });
  });

  it('says the same each time, so that a longer request only grows', () => {
    const items = [
      { kind: 'assistant' as const, text: '', reasoning: '', calls },
      { kind: 'result' as const, callId: 'c', content: 'x', parts: [part(jpeg)] },
    ];
    expect(buildRequest(items).at(-1)).toBe(buildRequest(items).at(-1));
  });
});
