import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@oneslot/db';
import { createSecretBox } from '../../src/store/secret-box.ts';
import { wire } from '../../src/wire.ts';
import { seedMember, seedOrganization } from '../seed.ts';

/** The runner without its server, made to be killed: it tells its parent of every event once the log gives it out. */
export type ToParent =
  | { kind: 'ready' }
  | { kind: 'event'; sessionId: string; seq: number; text: string }
  | { kind: 'problem'; text: string };

const [dataDir = '', modelUrl = '', files = '{}'] = process.argv.slice(2);
const tell = (message: ToParent) => process.send?.(message);

const database = await openDatabase({ dataDir });
const wired = await wire({
  database,
  box: createSecretBox(Buffer.alloc(32, 7)),
  engine: {
    engine: 'simulated',
    listenHost: '127.0.0.1',
    dataDir,
    installationId: 'kill-nine',
    rootDir: fileURLToPath(new URL('../../../../', import.meta.url)),
  },
  environment: { baseUrl: modelUrl, apiKey: null, models: ['stepping'] },
  report: ({ message, cause }) => tell({ kind: 'problem', text: `${message} ${String(cause)}` }),
});

const sessionId = (await findSession()) ?? (await createSession());
follow(sessionId);
await wired.resume();
tell({ kind: 'ready' });

async function findSession(): Promise<string | null> {
  const row = await database.prisma.session.findFirst({
    where: { title: 'killed' },
    select: { id: true, nextSeq: true },
  });
  return row?.id ?? null;
}

async function createSession(): Promise<string> {
  const caller = await seedMember(database, await seedOrganization(database, 'acme'), 'ana', 'owner');
  const row = { title: 'killed', mode: 'autopilot' as const, modelId: 'env:stepping' };
  const id = await wired.stores.sessions.createSession({ caller, ...row, visibility: 'private' });
  await wired.log.append(id, [{ kind: 'session-created', ...row }]);
  const client = await wired.sandboxes.open(id);
  for (const [path, text] of Object.entries<string>(JSON.parse(files))) {
    await client.files.write(path, Buffer.from(text), { expectedSha256: null });
  }
  const message = { messageId: randomUUID(), text: 'Play the steps.', by: caller.userId };
  await wired.stores.messages.queueMessage({ ...message, sessionId: id, organizationId: caller.organizationId });
  return id;
}

function follow(id: string): void {
  let next = 1;
  let reading = Promise.resolve();
  const read = async () => {
    for (const { seq, event } of await wired.log.read(id, next, 1_000)) {
      tell({ kind: 'event', sessionId: id, seq, text: JSON.stringify(event) });
      next = seq + 1;
    }
  };
  wired.log.subscribe(id, () => {
    reading = reading.then(read);
  });
  reading = reading.then(read);
}
