import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OutputChannel, OutputLog } from './output-log.ts';

const write = fc.record({
  channel: fc.constantFrom<OutputChannel>('stdout', 'stderr'),
  bytes: fc.uint8Array({ maxLength: 40 }),
});

describe('OutputLog', () => {
  test('keeps the newest bytes in order, per stream and together, whatever fits in memory', () =>
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 60 }),
        fc.nat(200),
        fc.integer({ min: 1, max: 300 }),
        (writes, memoryBytes, limitBytes) => {
          const log = new OutputLog({ memoryBytes, limitBytes, folder: tmpdir() });
          const all = writes.flatMap(({ channel, bytes }) => {
            log.append(channel, Buffer.from(bytes));
            return [...bytes].map((byte) => ({ channel, byte }));
          });
          const kept = all.slice(Math.max(0, all.length - limitBytes));
          const read = (channel: OutputChannel | null) => [...Buffer.concat([...log.read(0, channel)])];
          expect(read(null)).toEqual(kept.map(({ byte }) => byte));
          for (const channel of ['stdout', 'stderr'] as const) {
            const own = kept.filter((one) => one.channel === channel).map(({ byte }) => byte);
            expect(read(channel)).toEqual(own);
            expect(log.keptOf(channel)).toBe(own.length);
          }
          expect(log.end).toBe(all.length);
          expect(log.start).toBe(all.length - kept.length);
          log.discard();
          expect(read(null)).toEqual([]);
        },
      ),
      { numRuns: 200 },
    ));

  test('reads on from any offset', () => {
    const log = new OutputLog({ memoryBytes: 4, limitBytes: 100, folder: tmpdir() });
    log.append('stdout', Buffer.from('hello '));
    log.append('stderr', Buffer.from('world'));
    expect(Buffer.concat([...log.read(3)]).toString()).toBe('lo world');
    log.discard();
  });
});
