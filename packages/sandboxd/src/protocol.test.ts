import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type Frame,
  FrameParser,
  type FrameType,
  frameHeader,
  frameLimitBytes,
  frameTypes,
  ProtocolError,
} from './protocol.ts';

const frame = fc.record({
  type: fc.constantFrom(...Object.values(frameTypes)) as fc.Arbitrary<FrameType>,
  id: fc.integer({ min: 0, max: 0xffffffff }),
  payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

function encode(frames: Frame[]): Buffer {
  return Buffer.concat(frames.flatMap(({ type, id, payload }) => [frameHeader(type, id, payload.length), payload]));
}

function parse(bytes: Buffer, cuts: number[]): { frames: Frame[]; error: unknown; buffered: number } {
  const parser = new FrameParser();
  const frames: Frame[] = [];
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  try {
    for (let at = 1; at < places.length; at += 1)
      frames.push(...parser.push(bytes.subarray(places[at - 1], places[at])));
  } catch (error) {
    return { frames, error, buffered: parser.bufferedBytes };
  }
  return { frames, error: null, buffered: parser.bufferedBytes };
}

describe('FrameParser', () => {
  test('frames survive any cut of the stream', () =>
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 20 }), (frames, cuts) => {
        expect(parse(encode(frames), cuts)).toEqual({ frames, error: null, buffered: 0 });
      }),
    ));

  test('no bytes make it throw anything but ProtocolError, or keep more than it was given', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat(), { maxLength: 10 }), (bytes, cuts) => {
        const { error, buffered } = parse(Buffer.from(bytes), cuts);
        expect(error === null || error instanceof ProtocolError).toBe(true);
        expect(buffered).toBeLessThanOrEqual(bytes.length);
      }),
    ));

  test('a damaged stream of good frames never yields a frame above the limit', () =>
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(255), (frames, place, byte) => {
        const bytes = encode(frames);
        bytes[place % bytes.length] = byte;
        for (const one of parse(bytes, []).frames) expect(one.payload.length).toBeLessThan(frameLimitBytes);
      }),
    ));

  it('refuses a length above the limit before its bytes arrive', () => {
    const header = Buffer.alloc(9);
    header.writeUInt32BE(frameLimitBytes + 1, 0);
    expect(parse(header, []).error).toBeInstanceOf(ProtocolError);
  });

  it('refuses to send a frame above the limit', () => {
    expect(() => frameHeader(frameTypes.out, 1, frameLimitBytes)).toThrow(ProtocolError);
  });
});
