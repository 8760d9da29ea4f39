import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { checkHost, urlHost } from './check-host.ts';

let folder = '';
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneslot-host-'));
});
afterEach(() => {
  server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function listen(answer: { type: string; body: string }): Promise<number> {
  const port = await freePort();
  server = createServer((_request, response) => response.setHeader('content-type', answer.type).end(answer.body));
  await new Promise<void>((done) => server?.listen(port, '127.0.0.1', done));
  return port;
}

describe('checkHost', () => {
  test('accepts a free port and makes the data folder', async () => {
    const port = await freePort();
    await checkHost({ host: '127.0.0.1', port, dataDir: join(folder, 'a/b') });
  });

  test('says that Oneslot itself has the port', async () => {
    const port = await listen({ type: 'application/json', body: '{"status":"ok"}' });
    await expect(checkHost({ host: '127.0.0.1', port, dataDir: folder })).rejects.toThrow(
      /taken: Oneslot already runs/,
    );
  });

  test('says that another program has the port, and offers the next one', async () => {
    const port = await listen({ type: 'text/html', body: '<p>' });
    const failure = checkHost({ host: '127.0.0.1', port, dataDir: folder });
    await expect(failure).rejects.toThrow(/another program/);
    await expect(failure).rejects.toMatchObject({ next: expect.stringContaining(`--port ${port + 1}`) });
  });

  test('refuses a data folder that is a file, or lies below one', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const port = await freePort();
    await expect(checkHost({ host: '127.0.0.1', port, dataDir: file })).rejects.toThrow(/it is a file/);
    await expect(checkHost({ host: '127.0.0.1', port, dataDir: join(file, 'x') })).rejects.toThrow(
      /part of its path is a file/,
    );
  });

  test('refuses an address this machine does not have', async () => {
    const port = await freePort();
    await expect(checkHost({ host: '192.0.2.1', port, dataDir: folder })).rejects.toThrow(/no address 192.0.2.1/);
  });
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['::1', '[::1]'],
])('urlHost(%s) is %s', (host, url) => {
  expect(urlHost(host)).toBe(url);
});
