import { type MediaPort, mediaLimits, type ResultPart } from '@oneslot/core';
import type { Sharp, SharpOptions } from 'sharp';

type Decoder = (bytes: Buffer, options: SharpOptions) => Sharp;

/** Beyond these nothing is decoded: a few bytes can unfold to gigabytes of pixels. */
const mostBytes = 32 * 1024 * 1024;
const mostPixels = 120_000_000;
/** Models look at no more than this of a side. */
const wantedSide = 2_048;
const mostSeconds = 15;
/** Source: the signatures of PNG, JPEG, GIF and WebP. Formats that can name other files are never decoded. */
const raster = /^(?:\x89PNG\r\n|\xff\xd8\xff|GIF8|RIFF[\s\S]{4}WEBP)/;

/**
 * Scales images down outside the event loop, one at a time, so that memory holds one decoded image. Where the library
 * has no build for this machine every image that is too large is refused, and that is reported once.
 */
export function createImageShrinker(
  report: (problem: { message: string; cause: unknown }) => void,
  load: () => Promise<Decoder> = loadSharp,
): MediaPort {
  let decoder: Promise<Decoder | null> | null = null;
  let before: Promise<unknown> = Promise.resolve();
  const open = () => {
    decoder ??= load().catch((cause: unknown) => {
      report({ message: 'Images cannot be scaled on this machine; too large ones are left out.', cause });
      return null;
    });
    return decoder;
  };
  return {
    shrink(part) {
      const next = before.then(() => shrinkOne(part, open));
      // Broken images are everyday input: the request tells of them.
      const answer = next.catch(() => null);
      before = answer;
      return answer;
    },
  };
}

async function loadSharp(): Promise<Decoder> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}

async function shrinkOne(part: ResultPart, open: () => Promise<Decoder | null>): Promise<ResultPart | null> {
  if (part.base64.length > (mostBytes * 4) / 3) return null;
  const head = Buffer.from(part.base64.slice(0, 24), 'base64').toString('latin1');
  if (!raster.test(head)) return null;
  const decode = await open();
  if (!decode) return null;
  const bytes = Buffer.from(part.base64, 'base64');
  const image = () => decode(bytes, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' });
  const { width = 0, height = 0, hasAlpha } = await image().metadata();
  const small = Math.max(width, height) <= mediaLimits.longestSide;
  if (small && part.base64.length <= mediaLimits.longestBase64) return part;
  if (width * height > mostPixels) return null;
  const scaled = () =>
    image()
      .timeout({ seconds: mostSeconds })
      .autoOrient()
      .resize({ width: wantedSide, height: wantedSide, fit: 'inside', withoutEnlargement: true });
  // Text on a screen stays sharp in a PNG; a photograph is too large in one.
  const isPhoto = head.startsWith('\xff\xd8\xff');
  const exact = isPhoto ? null : await scaled().png().toBuffer();
  if (exact && fits(exact)) return asPart('image/png', exact);
  const flat = hasAlpha ? scaled().flatten({ background: '#ffffff' }) : scaled();
  const photo = await flat.jpeg({ quality: 80 }).toBuffer();
  return fits(photo) ? asPart('image/jpeg', photo) : null;
}

const fits = (bytes: Buffer): boolean => Math.ceil(bytes.length / 3) * 4 <= mediaLimits.longestBase64;

function asPart(mediaType: string, bytes: Buffer): ResultPart {
  return { kind: 'image', mediaType, base64: bytes.toString('base64') };
}
