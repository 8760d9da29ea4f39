import { describe, expect, it } from 'vitest';
import {
  type CoreLoop,
  guardedCall,
  type OwnLoop,
  scoreCoreLoop,
  scoreOwnLoop,
} from '../../test/scores/score-loops.ts';
import { ownCases } from '../testing/read-cases.ts';
import { readCases } from '../testing/run-cases.ts';
import { LoopGuard } from './guard-loops.ts';

describe('cases/core/loop_guard.json', () => {
  it.each(ownCases<CoreLoop>('core/loop_guard.json'))('$id', (row) => {
    expect(scoreCoreLoop(row).failure).toBeNull();
  });
});

describe('cases/loop-guard', () => {
  it.each(ownCases<OwnLoop>('loop-guard/cases.jsonl'))('$id', (row) => {
    expect(scoreOwnLoop(row).failure).toBeNull();
  });
});

describe('guard-loops.cases.json', () => {
  it.each(readCases<OwnLoop>(new URL('guard-loops.cases.json', import.meta.url)))('$id', (row) => {
    expect(scoreOwnLoop(row).failure).toBeNull();
  });
});

describe('LoopGuard', () => {
  const run = guardedCall('run_tests', {});
  const edit = (text: string) => guardedCall('edit_file', { text }, { writes: true });

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
    const command = (text: string) => guardedCall('run_command', { command: text });
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
      const search = guardedCall('grep', { pattern: 'x'.padEnd(index + 1) });
      guard.count(search);
      return guard.record(search, { kind: 'succeeded', resultDigest: 'none' }).kind;
    });
    expect([notices.indexOf('warn'), notices.indexOf('halt')]).toEqual([4, 14]);
  });

  it('lets pollable tools ask again, with a word now and then', () => {
    const guard = new LoopGuard();
    const poll = guardedCall('poll_job', { id: 1 }, { pollable: true });
    const notices = Array.from({ length: 50 }, () => {
      expect(guard.count(poll).kind).toBe('proceed');
      return guard.record(poll, { kind: 'succeeded', resultDigest: 'running' }).kind;
    });
    expect(notices.filter((kind) => kind === 'warn')).toHaveLength(2);
  });
});
