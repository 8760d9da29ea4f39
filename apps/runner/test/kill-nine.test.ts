import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SessionEvent } from '@oneslot/core';
import { openDatabase } from '@oneslot/db';
import { expect, test } from 'vitest';
import { createEventStore } from '../src/store/event-store.ts';
import { templateFolder } from './database-template.ts';
import type { ToParent } from './lib/kill-nine-child.ts';
import { type Step, startSteppingModel } from './lib/stepping-model.ts';

const kills = 20;
const stepCount = 120;
const childFile = fileURLToPath(new URL('lib/kill-nine-child.ts', import.meta.url));
const pad = (n: number) => String(n).padStart(3, '0');

/** Each edit adds a mark to its own line and each command a line to a log, so that doing either twice would show. */
const steps: Step[] = Array.from({ length: stepCount }, (_, n) => {
  const line = `slot_${pad(n)} =`;
  const read = { name: 'read_file', args: { path: 'slots.txt' } };
  if (n % 3 === 0)
    return {
      text: 'next edit',
      calls: [read, { name: 'edit_file', args: { path: 'slots.txt', old_string: line, new_string: `${line} x` } }],
    };
  if (n % 3 === 1)
    return { text: 'next command', calls: [{ name: 'run_command', args: { command: `echo ${pad(n)} >> log.txt` } }] };
  return {
    text: 'next reads',
    calls: [1, 2, 3].map((at) => ({
      name: 'read_file',
      args: { path: 'slots.txt', start_line: n + at, max_lines: at },
    })),
  };
});
const slots = Array.from({ length: stepCount }, (_, n) => `slot_${pad(n)} =`).join('\n');

/** Reproducible, so that a failure can be looked at again. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

test('twenty kills: nothing acknowledged is lost, nothing is done twice, the turn ends', {
  timeout: 600_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'oneslot-killed-'));
  cpSync(templateFolder(), dataDir, { recursive: true });
  const model = await startSteppingModel(steps, 3);
  const acknowledged = new Map<number, string>();
  const problems: string[] = [];
  const ended = Promise.withResolvers<void>();
  const random = randomOf(Number(process.env.ONESLOT_TEST_SEED ?? 4));
  const living: { child: ChildProcess | null } = { child: null };

  /** A life of the runner; `reached` settles after that many new events of it, so that load does not move the kills. */
  const start = async (newEvents: number) => {
    const born = fork(childFile, [dataDir, model.url, JSON.stringify({ 'slots.txt': slots })], {
      // The test runner's own flags are none of the runner's business.
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    living.child = born;
    const ready = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let seen = 0;
    born.on('message', (message: ToParent) => {
      if (message.kind === 'ready') ready.resolve();
      if (message.kind === 'problem') problems.push(message.text);
      if (message.kind !== 'event') return;
      const before = acknowledged.get(message.seq);
      if (before !== undefined && before !== message.text) problems.push(`event ${message.seq} changed`);
      if (before === undefined) seen += 1;
      acknowledged.set(message.seq, message.text);
      const over = message.text.includes('"kind":"turn-finished"');
      if (over) ended.resolve();
      if (over || seen >= newEvents) reached.resolve();
    });
    const died = new Promise<void>((resolve) => born.once('exit', () => resolve()));
    // A start that fails must not look like one that takes long.
    void died.then(() => ready.reject(new Error('The runner ended before it was ready.')));
    await ready.promise;
    if (newEvents === 0) reached.resolve();
    // Inside an object, for a promise that is returned bare would be waited for.
    return { died, reached: reached.promise };
  };

  try {
    for (let kill = 0; kill < kills; kill++) {
      const { died, reached } = await start(Math.floor(random() * 40));
      await reached;
      await sleep(random() * 40);
      living.child?.kill('SIGKILL');
      await died;
    }
    const { died } = await start(0);
    await ended.promise;
    living.child?.kill('SIGKILL');
    await died;
    await verify(dataDir, acknowledged);
    expect(problems).toEqual([]);
  } finally {
    living.child?.kill('SIGKILL');
    await model.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

async function verify(dataDir: string, acknowledged: ReadonlyMap<number, string>): Promise<void> {
  const database = await openDatabase({ dataDir });
  const sessions = await database.pool.query<{ id: string }>('SELECT id FROM "Session"');
  const stored = await createEventStore(database).read(sessions.rows[0]?.id ?? '', 1, 100_000);
  const calls = await database.pool.query<{ callId: string; state: string }>('SELECT "callId", state FROM "ToolCall"');
  const sandbox = await database.pool.query<{ volume: string }>('SELECT volume FROM "Sandbox"');
  await database.close();
  const events: SessionEvent[] = stored.map(({ event }) => event);

  expect(sessions.rows).toHaveLength(1);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  for (const [seq, text] of acknowledged) expect(events[seq - 1]).toEqual(JSON.parse(text));

  const last = events.findLast((event) => event.kind === 'turn-finished');
  expect(last).toMatchObject({ status: 'completed' });
  expect(events.filter((event) => event.kind === 'turn-started').length).toBeGreaterThan(kills / 2);
  expect(calls.rows.filter((row) => !['done', 'failed', 'unknown'].includes(row.state))).toEqual([]);
  const finished = events.flatMap((event) => (event.kind === 'call-finished' ? [event.callId] : []));
  const inSteps = events.flatMap((event) =>
    event.kind === 'step-completed' ? event.calls.map((call) => call.callId) : [],
  );
  expect(inSteps.filter((callId) => !finished.includes(callId))).toEqual([]);
  expect(inSteps.length).toBe(new Set(inSteps).size);

  expectNothingTwice(join(dataDir, 'sandboxes', sandbox.rows[0]?.volume ?? '', 'workspace'), events);
}

/** Files of the simulated engine lie in a folder of the data directory. What is reported done was done, and only once. */
function expectNothingTwice(workspace: string, events: readonly SessionEvent[]): void {
  const edits = readFileSync(join(workspace, 'slots.txt'), 'utf8').split('\n');
  const lines = readFileSync(join(workspace, 'log.txt'), 'utf8').trim().split('\n');
  expect(edits.filter((line) => /x.*x/.test(line))).toEqual([]);
  expect(lines.length).toBe(new Set(lines).size);
  const done = new Set(
    events.flatMap((event) => (event.kind === 'call-finished' && event.result.ok ? [event.callId] : [])),
  );
  for (const n of Array.from({ length: stepCount }, (_, index) => index)) {
    if (n % 3 === 0 && done.has(`call_${n}_1`)) expect(edits[n]).toBe(`slot_${pad(n)} = x`);
    if (n % 3 === 1 && done.has(`call_${n}_0`)) expect(lines).toContain(pad(n));
  }
}
