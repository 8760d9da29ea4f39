import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Answer, Request } from './embedded-database.ts';

/** The thread of the embedded database: one round of the wire protocol in, all its answers out. */
const port = parentPort;
if (port === null) throw new Error('This file runs in a thread of its own; embedded-database.ts starts it.');

const answer = (message: Answer): void => port.postMessage(message);
const database = await PGlite.create(String(workerData));

port.on('message', (request: Request) => void (request.kind === 'close' ? end() : run(request.bytes)));
answer({ kind: 'open' });

async function run(bytes: Uint8Array): Promise<void> {
  const chunks: Uint8Array[] = [];
  try {
    await database.runExclusive(() =>
      // The library writes its next chunk over this one.
      database.execProtocolRawStream(bytes, { onRawData: (data) => chunks.push(data.slice()) }),
    );
    answer({ kind: 'round', bytes: chunks.length === 1 ? (chunks[0] ?? new Uint8Array()) : Buffer.concat(chunks) });
  } catch (error) {
    answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
}

async function end(): Promise<void> {
  await database.close();
  process.exit(0);
}
