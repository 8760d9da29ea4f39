import { readdirSync, readFileSync } from 'node:fs';
import type { ToolResult } from '@oneslot/core';
import { toolFolder } from '@oneslot/tools';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../../../scripts/has.ts';
import type { EngineName } from '../src/sandbox/engine.ts';
import { eventsOf, newSession, openWorld, resultsOf, send, type World, waitFor } from './lib/session-world.ts';
import { shopCommands, shopFiles } from './shop-workspace.ts';

/** One vector beside a tool: what was called before, what is called now, what must come back. */
type Call = { tool: string; input: Record<string, unknown> };
type Case = {
  id: string;
  given: { before?: Call[]; input: Record<string, unknown> };
  expected: {
    ok?: boolean;
    code?: string | null;
    contains?: string[];
    notContains?: string[];
    /** Regular expressions over the content. */
    matches?: string[];
    /** A part of `data`. */
    data?: Record<string, unknown>;
    /** Whole text of files afterwards. */
    files?: Record<string, string>;
    /** Words of a warning. */
    warned?: string;
    truncated?: boolean;
    maxLineChars?: number;
  };
};

const engines: readonly (readonly [EngineName, boolean])[] = [
  ['simulated', true],
  ['docker', has('docker')],
];

const suites = readdirSync(toolFolder, { recursive: true, encoding: 'utf8' })
  // What stands under lib/ is no tool's.
  .filter((path) => path.endsWith('.cases.json') && !path.includes('/lib/'))
  .sort()
  .map((path) => ({
    tool: (path.split('/').at(-1) ?? '').replace('.cases.json', '').replaceAll('-', '_'),
    // The promise of a tool stands among its vectors and is no call.
    cases: (JSON.parse(readFileSync(new URL(path, toolFolder), 'utf8')) as Case[]).filter(({ id }) => id !== 'promise'),
  }));

for (const [engine, here] of engines) {
  describe.runIf(here)(`tools on ${engine}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld({ engine, database: 'pglite', modelUrl: 'http://127.0.0.1:9/v1' });
    }, 300_000);
    afterAll(() => world.close(), 60_000);

    describe.each(suites)('$tool', ({ tool, cases }) => {
      test.each(cases)('$id', { timeout: 60_000 }, async (row) => {
        const sessionId = await openShop(world);
        const before: ToolResult[] = [];
        for (const call of row.given.before ?? []) before.push(await play(world, sessionId, call, before));
        const result = await play(world, sessionId, { tool, input: row.given.input }, before);
        await check(world, sessionId, result, fill(row.expected, before));
        await world.wired.sandboxes.remove(sessionId);
      });
    });
  });
}

/** Each row has a session of its own, so that freshness, folder and background commands start from nothing. */
async function openShop(world: World): Promise<string> {
  const sessionId = await newSession(world, 'autopilot', 'manual');
  const client = await world.wired.sandboxes.open(sessionId);
  for (const { path, bytes } of shopFiles()) await client.files.write(path, bytes, { expectedSha256: null });
  for (const command of shopCommands) {
    const request = { command, timeoutMs: 5_000, background: false, tty: false };
    await client.commands.run(request, { signal: AbortSignal.timeout(10_000), onOutput: () => {} });
  }
  return sessionId;
}

/** Through the whole slot: a message to the Manual model becomes exactly this structured call. */
async function play(world: World, sessionId: string, call: Call, before: ToolResult[]): Promise<ToolResult> {
  const turns = (await eventsOf(world, sessionId)).filter(({ event }) => event.kind === 'turn-finished').length;
  const { tool, input } = fill(call, before);
  await send(world, sessionId, `/call ${tool} ${JSON.stringify(input)}`);
  const answered = tool === 'ask_user' ? answerFirst(world, sessionId) : Promise.resolve();
  await waitFor(world, sessionId, 'turn-finished', turns + 1);
  await answered;
  const result = resultsOf(await eventsOf(world, sessionId)).at(-1);
  if (!result) throw new Error(`${tool} has no result`);
  return result as ToolResult;
}

/** Answers with the first option; a question that is refused never comes, and the turn ends all the same. */
async function answerFirst(world: World, sessionId: string): Promise<void> {
  const asked = await Promise.race([
    waitFor(world, sessionId, 'question-asked'),
    waitFor(world, sessionId, 'turn-finished').then(() => null),
  ]);
  if (!asked) return;
  const answers = asked.questions.map((question) => ({
    id: question.id,
    labels: [question.options[0]?.label ?? ''],
    freeText: null,
    answeredBy: world.caller.userId,
    answeredAt: Date.now(),
  }));
  await world.wired.stores.questions.answerQuestion(sessionId, asked.callId, answers);
  await world.wired.log.append(sessionId, [{ kind: 'question-answered', callId: asked.callId, answers }]);
}

/** `$process_id` and `$output_ref` stand for what the calls before brought. */
function fill<T>(value: T, before: ToolResult[]): T {
  const last = before.at(-1);
  const data = last?.data as { process_id?: string } | undefined;
  const text = JSON.stringify(value)
    .replaceAll('$process_id', data?.process_id ?? '$process_id')
    .replaceAll('$output_ref', last?.outputRef ?? '$output_ref');
  return JSON.parse(text);
}

async function check(world: World, sessionId: string, result: ToolResult, expected: Case['expected']): Promise<void> {
  const { content } = result;
  if (expected.ok !== undefined) expect({ ok: result.ok, content }).toEqual({ ok: expected.ok, content });
  if (expected.code !== undefined) expect({ code: result.code, content }).toEqual({ code: expected.code, content });
  for (const part of expected.contains ?? []) expect(content).toContain(part);
  for (const part of expected.notContains ?? []) expect(content).not.toContain(part);
  for (const pattern of expected.matches ?? []) expect(content).toMatch(new RegExp(pattern));
  if (expected.data) expect(result.data).toMatchObject(expected.data);
  if (expected.warned) expect(result.warnings.join('\n')).toContain(expected.warned);
  if (expected.truncated !== undefined) expect(result.truncated).toBe(expected.truncated);
  const longest = Math.max(...content.split('\n').map((line) => line.length));
  if (expected.maxLineChars) expect(longest).toBeLessThanOrEqual(expected.maxLineChars);
  for (const [path, text] of Object.entries(expected.files ?? {})) {
    const client = await world.wired.sandboxes.open(sessionId);
    expect(Buffer.from((await client.files.read(path)).bytes).toString()).toBe(text);
  }
}
