import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type Request = { kind: 'round'; bytes: Uint8Array } | { kind: 'close' };
export type Answer = { kind: 'open' } | { kind: 'round'; bytes: Uint8Array } | { kind: 'failed'; reason: string };

/** The database in a thread of its own: its work neither holds up turns nor waits for them. */
export type EmbeddedDatabase = {
  /** One round of PostgreSQL's wire protocol. @throws Error when the database failed or its thread is gone */
  run(bytes: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
};

type Waiter = PromiseWithResolvers<Uint8Array>;

/** Opens a folder that holds a database. @throws Error when it cannot be opened */
export async function openEmbedded(folder: string): Promise<EmbeddedDatabase> {
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData: folder });
  const waiting: Waiter[] = [];
  const ended = Promise.withResolvers<Error>();
  worker.once('error', (error) => ended.resolve(error));
  worker.once('exit', (code) => ended.resolve(new Error(`The thread of the embedded database ended (code ${code}).`)));
  const state: { failure: Error | null } = { failure: null };
  void ended.promise.then((error) => {
    state.failure = error;
    for (const one of waiting.splice(0)) one.reject(error);
  });
  await Promise.race([once(worker, 'message'), ended.promise.then((error) => Promise.reject(error))]);
  worker.on('message', (answer: Answer) => settle(waiting.shift(), answer));
  return {
    run: (bytes) => {
      if (state.failure !== null) return Promise.reject(state.failure);
      const waiter = Promise.withResolvers<Uint8Array>();
      waiting.push(waiter);
      worker.postMessage({ kind: 'round', bytes } satisfies Request);
      return waiter.promise;
    },
    close: async () => {
      worker.postMessage({ kind: 'close' } satisfies Request);
      await ended.promise;
    },
  };
}

function settle(waiter: Waiter | undefined, answer: Answer): void {
  if (answer.kind === 'round') waiter?.resolve(answer.bytes);
  else if (answer.kind === 'failed') waiter?.reject(new Error(answer.reason));
}
