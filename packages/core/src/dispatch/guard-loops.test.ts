import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../contract/json.ts';
import { repairToolName } from '../repair/repair-tool-name.ts';
import { readCases } from '../testing/index.ts';
import { type GuardedCall, LoopGuard } from './guard-loops.ts';

type CoreStep = {
  name: string;
  args: JsonObject;
  outcome?: 'ok' | 'fail' | 'denied' | 'hydrated' | 'truncated';
  writes?: boolean;
  pollable?: boolean;
  expect: { verdict: string; after: string };
};

/** Tools of the vectors that run programs, as the specs of such tools say by capability. */
const runsPrograms = /^(run_|exec_shell$)/;

function guarded(
  name: string,
  input: JsonObject,
  flags: { writes?: boolean | undefined; pollable?: boolean | undefined },
): GuardedCall {
  const writes = flags.writes ?? false;
  return {
    name,
    input,
    reads: !writes && !runsPrograms.test(name),
    writes,
    runs: runsPrograms.test(name),
    pollable: flags.pollable ?? false,
  };
}

describe('cases/core/loop_guard.json', () => {
  for (const row of readCases<{ id: string; steps: CoreStep[] }>(
    new URL('../../../../cases/core/loop_guard.json', import.meta.url),
  )) {
    it(row.id, () => {
      const guard = new LoopGuard();
      row.steps.forEach((step, index) => {
        const call = guarded(step.name, step.args, step);
        // Cut-off and hydrated calls never reach the count: planning refuses them before.
        const charged = step.outcome !== 'hydrated' && step.outcome !== 'truncated';
        const verdict = charged ? guard.count(call).kind : 'not_charged';
        const kind = step.outcome === 'ok' ? 'succeeded' : step.outcome === 'fail' ? 'failed' : 'neither';
        const after =
          verdict === 'proceed'
            ? guard.record(call, { kind, resultDigest: `${row.id} ${index}` }).kind
            : guard.halted() === null
              ? 'none'
              : 'halt';
        expect({ verdict, after }, `step ${index + 1}`).toEqual(step.expect);
      });
    });
  }
});

type Step = {
  tool?: string;
  args?: JsonObject;
  ok?: boolean;
  result?: string;
  newUserTurn?: boolean;
  compaction?: boolean;
  parallel?: Step[];
};
type Expectation = {
  blockAt?: number;
  warnAt?: number;
  haltAt?: number;
  block?: boolean;
  warn?: boolean;
  halt?: boolean;
  or?: Expectation;
};

describe('cases/loop-guard', () => {
  for (const row of readCases<{ id: string; steps: Step[]; expect: Expectation }>(
    new URL('../../../../cases/loop-guard/cases.jsonl', import.meta.url),
  )) {
    it(row.id, () => {
      const seen = play(row.steps);
      const fits = (want: Expectation): boolean =>
        (want.blockAt === undefined || seen.blockAt === want.blockAt) &&
        (want.warnAt === undefined || seen.warnAt === want.warnAt) &&
        (want.haltAt === undefined || seen.haltAt === want.haltAt) &&
        (want.block !== false || seen.blockAt === null) &&
        (want.warn !== false || seen.warnAt === null) &&
        (want.halt !== false || seen.haltAt === null);
      expect(fits(row.expect) || (row.expect.or !== undefined && fits(row.expect.or)), JSON.stringify(seen)).toBe(true);
    });
  }
});

const registered = new Set([
  'read_file',
  'write_file',
  'edit_file',
  'grep',
  'poll_job',
  'echo',
  't1',
  't2',
  't3',
  'run_tests',
]);

function play(steps: readonly Step[]) {
  const guard = new LoopGuard();
  const seen: { blockAt: number | null; warnAt: number | null; haltAt: number | null } = {
    blockAt: null,
    warnAt: null,
    haltAt: null,
  };
  let number = 0;
  for (const step of steps.flatMap((one) => one.parallel ?? [one])) {
    if (step.newUserTurn) guard.beginTurn();
    if (step.tool === undefined) continue;
    number += 1;
    const name = repairToolName(step.tool, registered);
    const tool = name.kind === 'resolved' ? name.name : step.tool;
    const call = guarded(tool, step.args ?? {}, {
      writes: tool === 'write_file' || tool === 'edit_file',
      pollable: tool === 'poll_job',
    });
    const verdict = guard.count(call);
    if (verdict.kind === 'block') seen.blockAt ??= number;
    if (verdict.kind !== 'proceed') continue;
    const notice = guard.record(call, {
      kind: step.result === 'denied' ? 'neither' : step.ok ? 'succeeded' : 'failed',
      resultDigest: step.result ?? '',
    });
    if (notice.kind === 'warn') seen.warnAt ??= number;
    if (notice.kind === 'halt') seen.haltAt ??= number;
  }
  return seen;
}

describe('LoopGuard', () => {
  const run = guarded('run_tests', {}, {});
  const edit = (text: string) => guarded('edit_file', { text }, { writes: true });

  it('never stops testing and editing until green', () => {
    const guard = new LoopGuard();
    for (let round = 0; round < 20; round += 1) {
      expect(guard.count(run).kind).toBe('proceed');
      expect(guard.record(run, { kind: 'failed', resultDigest: 'red' }).kind).toBe('none');
      expect(guard.count(edit(String(round))).kind).toBe('proceed');
      guard.record(edit(String(round)), { kind: 'succeeded', resultDigest: 'done' });
    }
  });

  it('counts a run that changes nothing', () => {
    const guard = new LoopGuard();
    for (const verdict of ['proceed', 'proceed', 'block']) {
      expect(guard.count(run).kind).toBe(verdict);
      guard.record(run, { kind: 'succeeded', resultDigest: 'same' });
    }
  });

  it('lets a command look again after another one, and still catches two that take turns', () => {
    const guard = new LoopGuard();
    const command = (text: string) => guarded('run_command', { command: text }, {});
    const play = (text: string, result: string) => {
      const verdict = guard.count(command(text)).kind;
      if (verdict === 'proceed') guard.record(command(text), { kind: 'succeeded', resultDigest: result });
      return verdict;
    };
    for (const [text, result] of ['add', 'commit', 'tag', 'push'].flatMap(
      (verb) =>
        [
          [verb, verb],
          ['status', `after ${verb}`],
        ] as const,
    )) {
      expect(play(text, result), text).toBe('proceed');
    }
    const verdicts = Array.from({ length: 8 }, (_, index) => play(index % 2 ? 'ping' : 'pong', 'same'));
    expect(verdicts).toContain('block');
  });

  it('catches equal successful writes and drifting searches that bring the same', () => {
    const guard = new LoopGuard();
    const verdicts = [1, 2, 3].map(() => {
      const verdict = guard.count(edit('same')).kind;
      guard.record(edit('same'), { kind: 'succeeded', resultDigest: 'done' });
      return verdict;
    });
    expect(verdicts).toEqual(['proceed', 'proceed', 'block']);
    const notices = Array.from({ length: 15 }, (_, index) => {
      const search = guarded('grep', { pattern: 'x'.padEnd(index + 1) }, {});
      guard.count(search);
      return guard.record(search, { kind: 'succeeded', resultDigest: 'none' }).kind;
    });
    expect([notices.indexOf('warn'), notices.indexOf('halt')]).toEqual([4, 14]);
  });

  it('lets pollable tools ask again, with a word now and then', () => {
    const guard = new LoopGuard();
    const poll = guarded('poll_job', { id: 1 }, { pollable: true });
    const notices = Array.from({ length: 50 }, () => {
      expect(guard.count(poll).kind).toBe('proceed');
      return guard.record(poll, { kind: 'succeeded', resultDigest: 'running' }).kind;
    });
    expect(notices.filter((kind) => kind === 'warn')).toHaveLength(2);
  });
});
