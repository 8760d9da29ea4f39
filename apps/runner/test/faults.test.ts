import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../../../scripts/has.ts';
import { type Played, playFault } from './lib/play-fault.ts';
import { faultNames, type ScriptedModel, startScriptedModel } from './lib/scripted-server.ts';
import { openWorld, type World } from './lib/session-world.ts';

type Check = (played: Played) => void;
const finalText = 'All scripted steps are complete.';
const nextRetryMs = 1_000;

const only = <Item>(items: readonly Item[]): Item => {
  expect(items).toHaveLength(1);
  const [item] = items;
  if (item === undefined) throw new Error('There is none.');
  return item;
};

/** Mended, run, and the mend is on record with what stood there before and after. */
const mended =
  (marker: string, rung: string): Check =>
  ({ plans, results, markers }) => {
    expect(markers).toEqual([marker]);
    expect(only(results)).toMatchObject({ ok: true });
    const { repair } = only(plans);
    expect(repair).toMatchObject({ rung, synthesized: false, unrepaired: false });
    expect(repair?.before).not.toBe(repair?.after);
  };

/** Not run, and the answer names the field and its type. */
const taught =
  (...words: (string | RegExp)[]): Check =>
  ({ plans, told, markers, of }) => {
    expect(markers).toEqual([]);
    expect(only(plans).decision).toBe('refused');
    expect(of('call-started')).toEqual([]);
    const { text } = only(told);
    for (const word of words) expect(text).toMatch(word);
    expect(text).not.toContain('Invalid input');
  };

const resolved: Check = ({ plans, results }) => {
  expect(only(plans)).toMatchObject({ tool: 'read_file', decision: 'run' });
  expect(only(results).content).toContain('the quick brown fox');
};

/** Cut off: nothing ran, and the model reads which call to send again. */
const resend: Check = ({ told, markers, of }) => {
  expect(markers).toEqual([]);
  expect(of('call-started')).toEqual([]);
  expect(only(told).text).toMatch(/^\[truncated_turn\].*run_command/);
};

/** Removed from what people see, in the log, told to the model once, and the turn went on to a real end. */
const stripped: Check = ({ texts, markers, plans, notices, of, requests, end }) => {
  expect(markers).toEqual([]);
  expect(plans).toEqual([]);
  expect(texts).toEqual(['Running it now.\n', finalText]);
  expect(of('text-appended').map((delta) => delta.text)).not.toContainEqual(
    expect.stringMatching(/marker_fake|invoke/),
  );
  expect(of('step-completed')[0]).toMatchObject({ forged: 1 });
  expect(only(notices).text).toContain('imitates a tool call');
  expect(requests).toHaveLength(2);
  expect(end.status).toBe('completed');
};

const oneLine: Check = ({ told }) => {
  const { text, bytes } = only(told);
  expect(text).toMatch(/20000 bytes/);
  expect(text).toMatch(/binary data/);
  expect(text).not.toContain('\uFFFD');
  expect(bytes).toBeLessThan(400);
};

const checks = (engine: string): Record<string, Check> => ({
  args_trailing_comma: mended('marker_trailing', 'trailing_commas'),
  args_extra_closer: mended('marker_extra', 'surplus_closers'),
  args_control_chars: mended('marker_ctl', 'cleaned'),
  args_double_encoded: mended('marker_double', 'cleaned'),
  args_unclosed_brace: (played) => {
    taught('closing brackets', /\{"command":"touch marker_unclosed"\}/, 'call run_command again')(played);
    expect(only(played.plans).repair).toMatchObject({ synthesized: true });
  },
  args_empty: taught(/command is missing; it is a string/),
  args_missing_field: taught(/command is missing; it is a string/),
  args_prose: (played) => {
    taught(/Required: command \(string\)/)(played);
    expect(only(played.plans).input).toEqual({});
  },
  args_wrong_type: taught(/path: must be of type string \(received 42\)/),
  name_upper: resolved,
  name_hyphen: resolved,
  name_camel: resolved,
  name_snake: resolved,
  name_suffix: resolved,
  name_typo: ({ told, of }) => {
    expect(of('call-started')).toEqual([]);
    const names = /Did you mean: ([^?]*)\?/.exec(only(told).text)?.[1]?.split(', ') ?? [];
    expect(names[0]).toBe('read_file');
    expect(names.length).toBeLessThanOrEqual(3);
    expect(/Did you mean: [^?]*\?/.exec(only(told).text)?.[0].length).toBeLessThanOrEqual(200);
  },
  name_unknown: ({ told, of }) => {
    expect(of('call-started')).toEqual([]);
    expect(only(told).text).toContain('No tool is named "frobnicate"');
    expect(only(told).bytes).toBeLessThan(300);
  },
  repeat_10: ({ results, of, end }) => {
    expect(of('call-started')).toHaveLength(2);
    expect(results.map((result) => result.code)).toEqual([null, null, ...Array(8).fill('loop_blocked')]);
    expect(results[2]?.content).toMatch(/not run.*attempt 3/);
    // Eight refusals in a row end the turn where people see it.
    expect(end).toMatchObject({ status: 'halted', reason: expect.stringContaining('read_file') });
    expect(of('session-changed').at(-1)).toMatchObject({ status: 'failed' });
  },
  length_cut_args: resend,
  length_whole_args: resend,
  stream_abort: ({ markers, results, texts, of, requests, end }) => {
    expect(markers).toEqual([]);
    expect(results).toEqual([]);
    expect(of('step-discarded')).toHaveLength(1);
    expect(texts).toEqual([finalText]);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.itemCount).toBe(requests[0]?.itemCount);
    expect((requests[1]?.tHeaders ?? 0) - (requests[0]?.tLast ?? 0)).toBeLessThan(nextRetryMs);
    expect(end.status).toBe('completed');
  },
  fake_function_calls: stripped,
  fake_invoke: stripped,
  fake_bracket: stripped,
  fake_tool_code: stripped,
  out_5mb: ({ told }) => expect(only(told).bytes).toBeLessThanOrEqual(32_048),
  out_5mb_one_line: ({ told }) => expect(only(told).bytes).toBeLessThanOrEqual(32_048),
  out_binary: (played) => {
    oneLine(played);
    expect(only(played.told).text).toContain('ref=');
  },
  out_invalid_utf8: ({ told }) => {
    const { text } = only(told);
    expect(text).toMatch(/start .* end/);
    // The simulated shell's own printf makes letters of such bytes before anyone else sees them.
    if (engine !== 'simulated') expect(text).toContain('start \uFFFD\uFFFD \uFFFD( end');
  },
  read_binary: oneLine,
  batch_one_missing: ({ told, plans }) => {
    expect(plans.map((plan) => plan.decision)).toEqual(['run', 'run', 'run']);
    expect(told.map(({ id }) => id)).toEqual(['call_0_0', 'call_0_1', 'call_0_2']);
    expect(told[0]?.text).toContain('00000 the quick');
    expect(told[1]?.text).toMatch(/^\[not_found\].*nope\.txt/);
    expect(told[2]?.text).toContain('00100 the quick');
  },
  duplicate_ids: ({ told }) => {
    expect(new Set(told.map(({ id }) => id)).size).toBe(2);
    expect(told[0]?.text).toContain('00000 the quick');
    expect(told[1]?.text).toContain('00100 the quick');
  },
  http_500_once: ({ requests, texts, of, end }) => {
    expect(requests).toHaveLength(2);
    expect((requests[1]?.tHeaders ?? 0) - (requests[0]?.tLast ?? 0)).toBeLessThan(nextRetryMs);
    expect(texts).toEqual([finalText]);
    expect(of('step-discarded')).toEqual([]);
    expect(end.status).toBe('completed');
  },
});

test('every fault has its row in the documentation', async () => {
  const names = await faultNames();
  const page = readFileSync(new URL('../../../docs/faults.md', import.meta.url), 'utf8');
  expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]).sort()).toEqual([...names].sort());
  expect(Object.keys(checks('simulated')).sort()).toEqual([...names].sort());
});

const kinds = [
  ['simulated', 'pglite', true],
  ['docker', 'pglite', has('docker')],
] as const;

for (const [engine, database, here] of kinds) {
  describe.runIf(here)(`faults of a model on ${engine} and ${database}`, () => {
    let model: ScriptedModel;
    let world: World;
    beforeAll(async () => {
      model = await startScriptedModel();
      world = await openWorld({ engine, database, modelUrl: model.url(null) });
    }, 300_000);
    afterAll(async () => {
      await world.close();
      await model.close();
    }, 120_000);

    test.each(Object.entries(checks(engine)))('%s', { timeout: 120_000 }, async (name, check) => {
      const played = await playFault(world, model, name);
      check(played);
      expect(world.problems).toEqual([]);
    });

    test('the statistics of the model hold what was mended, refused, removed and stopped', async () => {
      const { stores } = world.wired;
      const [model, ...others] = await stores.slotCounts.byModel(world.caller.organizationId, new Date(0));
      expect(others).toEqual([]);
      expect(model).toMatchObject({ modelId: 'env:scripted', forged: 4, loops: 8, mended: 10 });
      const counts = (rows: { name: string; count: number }[] = []) =>
        rows.map(({ name, count }) => `${name} ${count}`);
      expect(counts(model?.rungs)).toEqual([
        'cleaned 3',
        'closed_brackets 1',
        'name 4',
        'surplus_closers 1',
        'trailing_commas 1',
        'unrepaired 2',
      ]);
      expect(counts(model?.refusals)).toEqual(['invalid_input 5', 'not_available 2', 'truncated_turn 2']);
      expect(await stores.slotCounts.byModel('another-organization', new Date(0))).toEqual([]);
      expect(await stores.slotCounts.byModel(world.caller.organizationId, new Date(Date.now() + 60_000))).toEqual([]);
    });
  });
}
