import { mediaLimits } from '../contract/media-limits.ts';
import type { ResultPart } from '../contract/tool-call.ts';

/** What a provider may be sent of an image, or why it must not be sent. */
export type CheckedMedia = { kind: 'fit'; part: ResultPart } | { kind: 'unfit'; reason: string };
type Size = { width: number; height: number };
type Format = { mediaType: string; fits(bytes: Buffer): boolean; sizeOf(bytes: Buffer): Size | null };

const { longestBase64, longestSide } = mediaLimits;

const startsWith = (signature: string) => (bytes: Buffer) =>
  bytes.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'));

/** Source: the signatures and headers in each format's specification. */
const formats: readonly Format[] = [
  {
    mediaType: 'image/png',
    fits: startsWith('\x89PNG\r\n\x1a\n'),
    sizeOf: (bytes) => (bytes.length < 24 ? null : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  },
  { mediaType: 'image/jpeg', fits: startsWith('\xff\xd8\xff'), sizeOf: jpegSize },
  {
    mediaType: 'image/gif',
    fits: (bytes) => startsWith('GIF87a')(bytes) || startsWith('GIF89a')(bytes),
    sizeOf: (bytes) => (bytes.length < 10 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  },
  {
    mediaType: 'image/webp',
    fits: (bytes) => startsWith('RIFF')(bytes) && startsWith('WEBP')(bytes.subarray(8)),
    sizeOf: webpSize,
  },
];

/** Judges an image by its bytes alone: its label is corrected, and what a provider would refuse is told instead of sent. */
export function checkMedia(part: ResultPart): CheckedMedia {
  if (part.base64.length > longestBase64)
    return unfit(
      `it has ${Math.round(part.base64.length * 0.75)} bytes; ${Math.floor(longestBase64 * 0.75)} is the most`,
    );
  const bytes = Buffer.from(part.base64, 'base64');
  if (bytes.length === 0) return unfit('it is empty');
  const format = formats.find((one) => one.fits(bytes));
  if (!format) return unfit('its bytes are no PNG, JPEG, GIF or WebP');
  const size = format.sizeOf(bytes);
  if (!size || size.width === 0 || size.height === 0) return unfit(`it is a broken ${format.mediaType}`);
  if (Math.max(size.width, size.height) > longestSide)
    return unfit(`it is ${size.width}×${size.height} pixels; ${longestSide} a side is the most`);
  return { kind: 'fit', part: part.mediaType === format.mediaType ? part : { ...part, mediaType: format.mediaType } };
}

const unfit = (reason: string): CheckedMedia => ({ kind: 'unfit', reason });

/** The frame header may stand behind any number of other segments. */
function jpegSize(bytes: Buffer): Size | null {
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker >> 8 !== 0xff) return null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30) return null;
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  const bits = bytes.readUInt32LE(21);
  return kind === 'VP8L' ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : null;
}
