import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from './lib/scripted-server.ts';
import { eventsOf, newSession, openWorld, resultsOf, send, type World, waitFor } from './lib/session-world.ts';

// Stored outputs on the live route: session, dispatcher, tools, sandbox and database as they are wired.

let world: World;
let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
  world = await openWorld({ engine: 'simulated', database: 'pglite', modelUrl: model.url(null) });
}, 120_000);
afterAll(async () => {
  await world.close();
  await model.close();
}, 60_000);

/** A session whose person makes the calls. */
async function openCalls() {
  const sessionId = await newSession(world, 'autopilot', 'manual');
  let turns = 0;
  return {
    sessionId,
    async call(tool: string, input: object) {
      turns += 1;
      await send(world, sessionId, `/call ${tool} ${JSON.stringify(input)}`);
      await waitFor(world, sessionId, 'turn-finished', turns);
      const result = resultsOf(await eventsOf(world, sessionId))[turns - 1];
      if (!result) throw new Error(`${tool} has no result.`);
      return result;
    },
  };
}

const refOf = (result: { outputRef: string | null }) => result.outputRef ?? '';

test('what was cut away comes back, is passed on by its ref, and says why when it is gone', {
  timeout: 120_000,
}, async () => {
  const { sessionId, call } = await openCalls();
  const ref = refOf(await call('run_command', { command: 'seq 1 20000' }));
  expect((await call('retrieve_tool_result', { ref, mode: 'search', pattern: '^19999$' })).content).toContain(
    '19999:19999',
  );

  expect(await call('write_file', { path: 'numbers.txt', input_ref: ref })).toMatchObject({ ok: true });
  const file = await world.wired.services.sandboxes.readFile(sessionId, 'numbers.txt');
  expect(file.sizeBytes).toBe(Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('').length);
  const planned = (await eventsOf(world, sessionId)).filter(({ event }) => event.kind === 'call-planned');
  expect(JSON.stringify(planned.at(-1)?.event).length).toBeLessThan(1_000);

  const other = await openCalls();
  for (const foreign of [ref, 'out_00000000000000000000000000000000'])
    expect(await other.call('write_file', { path: 'x.txt', input_ref: foreign })).toMatchObject({
      ok: false,
      code: 'not_found',
    });

  await world.wired.stores.outputs.sweepOutputs({
    now: new Date(Date.now() + 8 * 86_400_000),
    abandonedBefore: new Date(0),
  });
  const gone = await call('retrieve_tool_result', { ref });
  expect(gone).toMatchObject({ ok: false, code: 'not_found' });
  expect(gone.content).toMatch(
    /of run_command \(seq 1 20000\) was removed on \d{4}-.*Z: stored outputs are kept for 7 days\./,
  );
  expect(gone.content).toMatch(/Next: Make that run_command call \(\S+\) again; its result names a new ref\./);
});

test('a background command is stored whole by the look that sees its end, and by no later one', {
  timeout: 120_000,
}, async () => {
  const { sessionId, call } = await openCalls();
  const run = await call('run_command', { command: 'seq 1 20000', background: true });
  const processId = String(Object(run.data).process_id);
  const polls = [await call('command_poll', { process_id: processId, wait_ms: 5_000, until: 'exit' })];
  polls.push(await call('command_poll', { process_id: processId, wait_ms: 0, from_start: true }));
  const refs = [run, ...polls].flatMap((result) => result.outputRef ?? []);
  expect(refs).toHaveLength(1);
  const info = await world.wired.stores.envelopes.envelopeInfo(sessionId, refs[0] ?? '');
  expect(info).toMatchObject({ lines: 20_000, bytes: 108_894 });
});

test('a file that is read again is told as unchanged until it changes', { timeout: 120_000 }, async () => {
  const { call } = await openCalls();
  await call('write_file', { path: 'long.txt', content: 'line\n'.repeat(400) });
  expect((await call('read_file', { path: 'long.txt' })).content).toContain('400\tline');
  const again = await call('read_file', { path: 'long.txt' });
  expect(again).toMatchObject({ ok: true });
  expect(again.content).toMatch(/^unchanged since last read: read long\.txt/);
  await call('edit_file', { path: 'long.txt', old_string: 'line\n', new_string: 'new\n', occurrence: 1 });
  expect((await call('read_file', { path: 'long.txt' })).content).toContain('1\tnew');
});

test('the organization’s cheap model summarizes, labelled and charged, and its absence costs no result', {
  timeout: 120_000,
}, async () => {
  const { sessionId, call } = await openCalls();
  const ref = refOf(await call('run_command', { command: 'echo " conv=sum "; seq 1 20000' }));
  const plain = await call('retrieve_tool_result', { ref, mode: 'summary' });
  expect(plain.content).toContain('20001 lines');
  // What carries no tools is answered by a title, whatever the script says.
  model.load('sum', { steps: [{ tag: 'final', text: 'Done.' }] });
  const { organizationId } = world.caller;
  await world.wired.stores.models.setCheapModel(organizationId, 'env:scripted');
  const told = await call('retrieve_tool_result', { ref, mode: 'summary', limit: 21 });
  expect(told.content).toMatch(
    /^\[summary by scripted of \d+ bytes of run_command; not its words\]\nScripted title\nnext: /,
  );
  const spent = (await eventsOf(world, sessionId)).filter(({ event }) => event.kind === 'usage-recorded');
  expect(spent.map(({ event }) => Object(event).modelId)).toContain('env:scripted');
  await world.wired.stores.models.setCheapModel(organizationId, 'gone');
  const without = await call('retrieve_tool_result', { ref, mode: 'summary', limit: 22 });
  expect(without.content).toContain('20001 lines');
});
