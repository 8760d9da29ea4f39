import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';

/** Listens for bridges; the folder and the socket are the agent's own. Resolves once it listens. */
export function listenOnSocket(path: string, onStream: (stream: Socket) => void): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  const server = createServer({ noDelay: true }, onStream);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      chmodSync(path, 0o600);
      resolve();
    });
  });
}
