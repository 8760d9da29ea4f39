import { mediaLimits, type ResultPart } from '@oneslot/core';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { createImageShrinker } from './image-shrinker.ts';

const bug = (problem: { message: string }) => {
  throw new Error(problem.message);
};
const part = (bytes: Buffer, mediaType = 'image/png'): ResultPart => ({
  kind: 'image',
  mediaType,
  base64: bytes.toString('base64'),
});
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } });
/** Pixels that no format makes small. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  });
const sizeOf = async (made: ResultPart | null) => {
  const { width, height, format } = await sharp(Buffer.from(made?.base64 ?? '', 'base64')).metadata();
  return { width, height, format };
};

describe('createImageShrinker', () => {
  it('leaves an image that fits as it is', async () => {
    const small = part(await plain(40, 30).png().toBuffer());
    expect(await createImageShrinker(bug).shrink(small)).toBe(small);
  });

  it('scales a PNG with too many pixels a side, whatever it is labelled', async () => {
    const wide = part(await plain(9_000, 90).png().toBuffer(), 'image/jpeg');
    const made = await createImageShrinker(bug).shrink(wide);
    expect(made?.mediaType).toBe('image/png');
    expect(await sizeOf(made)).toEqual({ width: 2_048, height: 20, format: 'png' });
  });

  it('makes a JPEG of too many bytes small', async () => {
    const photo = part(await noise(4_000, 3_000).jpeg({ quality: 95 }).toBuffer(), 'image/jpeg');
    expect(photo.base64.length).toBeGreaterThan(mediaLimits.longestBase64);
    const made = await createImageShrinker(bug).shrink(photo);
    expect(made?.base64.length).toBeLessThanOrEqual(mediaLimits.longestBase64);
    expect(await sizeOf(made)).toEqual({ width: 2_048, height: 1_536, format: 'jpeg' });
  });

  it('turns a PNG that stays too large into a JPEG', async () => {
    const dense = part(await noise(2_000, 1_500).png().toBuffer());
    expect(await sizeOf(await createImageShrinker(bug).shrink(dense))).toMatchObject({ format: 'jpeg', width: 2_000 });
  });

  it('refuses what unfolds to more pixels than it decodes, before it decodes them', async () => {
    const small = await plain(8, 8).png().toBuffer();
    small.writeUInt32BE(60_000, 16);
    small.writeUInt32BE(60_000, 20);
    expect(await createImageShrinker(bug).shrink(part(small))).toBeNull();
  });

  it.each([
    ['a drawing that could name other files', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9999"/>')],
    ['a PNG that is cut', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_, bytes) => {
    expect(await createImageShrinker(bug).shrink(part(bytes))).toBeNull();
  });

  it('reports once where the library is missing, and refuses', async () => {
    const report = vi.fn();
    const shrinker = createImageShrinker(report, () => Promise.reject(new Error('no build')));
    const image = part(await plain(9_000, 9).png().toBuffer());
    expect([await shrinker.shrink(image), await shrinker.shrink(image)]).toEqual([null, null]);
    expect(report).toHaveBeenCalledTimes(1);
  });
});
