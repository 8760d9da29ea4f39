import { type Duplex, duplexPair } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExecStream } from './exec-stream.ts';

function frame(kind: 1 | 2, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

async function readAll(stream: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it('gives back what went in, wherever the bytes are cut', async () => {
  const payloads = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(payloads, fc.integer({ min: 1, max: 17 }), async (parts, size) => {
      const [far, near] = duplexPair();
      const stream = new ExecStream(near);
      const bytes = Buffer.concat(parts.map((part) => frame(1, part)));
      for (let at = 0; at < bytes.length; at += size) far.write(bytes.subarray(at, at + size));
      far.end();
      expect(await readAll(stream)).toEqual(Buffer.concat(parts));
    }),
  );
});

it('writes pass through unframed and their end is the end of stdin', async () => {
  const [far, near] = duplexPair();
  const stream = new ExecStream(near);
  stream.end('hello');
  expect((await readAll(far)).toString()).toBe('hello');
});

it('what the bridge says on stderr is the error the stream ends with', async () => {
  const [far, near] = duplexPair();
  const stream = new ExecStream(near);
  far.write(frame(1, Buffer.from('data')));
  far.end(frame(2, Buffer.from('connect ENOENT /tmp/agent.sock\n')));
  await expect(readAll(stream)).rejects.toThrow('The bridge into the sandbox ended: connect ENOENT /tmp/agent.sock');
});

it('stops reading the engine while its reader does not read', async () => {
  const [far, near] = duplexPair();
  const stream = new ExecStream(near);
  const block = frame(1, Buffer.alloc(65_536));
  let written = 0;
  while (far.write(block) && written < 100) written += 1;
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBeLessThan(100);
  expect(stream.readableLength).toBeLessThanOrEqual(2 * 65_536);
  far.end();
  expect((await readAll(stream)).length).toBe((written + 1) * 65_536);
});
