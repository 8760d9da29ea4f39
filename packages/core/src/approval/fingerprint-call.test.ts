import { beforeAll, describe, expect, it, test } from 'vitest';
import { loadParser } from '../../test/load-parser.ts';
import { type FingerprintRow, isRemembered, scoreFingerprint } from '../../test/scores/score-approvals.ts';
import type { CommandParser } from '../contract/ports.ts';
import { ownCases } from '../testing/read-cases.ts';

let parser: CommandParser;
beforeAll(async () => {
  parser = await loadParser();
});

describe('cases/core/approval_fingerprint.json', () => {
  it.each(ownCases<FingerprintRow>('core/approval_fingerprint.json'))('$id', (row) => {
    expect(scoreFingerprint(row, parser).failure).toBeNull();
  });
});

describe('fingerprintCall', () => {
  const after = (first: string, next: string) =>
    isRemembered(
      { decision: 'approve_session', tool: 'exec_shell', input: { command: first } },
      { tool: 'exec_shell', input: { command: next } },
      parser,
    );

  test.each([
    ['cargo build', 'cargo build --release'],
    ['cargo build', 'cargo build -p x'],
    ['cargo test', 'cargo test -- --nocapture', false],
    ['cargo build', 'cargo build --config x.toml', false],
    ['cargo build', 'Cargo build', false],
    ['cargo build', 'cargo test', false],
    ['cargo build', './cargo build', false],
    ['cargo build', 'cargo +nightly build', false],
    ['npm run lint', 'npm run lint --silent'],
    ['npm run lint', 'npm run "lint"'],
    ['npm test', 'npm test -- -u', false],
    ['git log', 'git log --output=x', false],
    ['git log', 'git log -n 5 main'],
    ['git log', 'git log > x', false],
    ['git log', 'git log &', false],
    ['git diff', 'git diff --ext-diff', false],
    ['git diff', 'git diff *.ts', false],
    ['python a.py', 'python b.py', false],
    ['bash -c ls', 'bash -c rm', false],
    ['env cargo build', 'env cargo build --release', false],
    ['timeout 5 cargo build', 'timeout 5 cargo build --release', false],
    ['git push', 'git push --force', false],
    ['docker ps', 'docker ps -a'],
  ])(
    'after a yes to %s, %s is asked about again unless it is the same',
    (first, next, hit: boolean | string = true) => {
      expect(after(first, next)).toBe(hit);
    },
  );

  it('forgets a single yes, and a no stops nothing else', () => {
    const call = { tool: 'exec_shell', input: { command: 'rm -rf /tmp/x' } };
    expect(isRemembered({ ...call, decision: 'approve_once' }, call, parser)).toBe(false);
    expect(isRemembered({ ...call, decision: 'deny' }, call, parser)).toBe(true);
    const other = { tool: 'exec_shell', input: { command: 'rm -rf /tmp/y' } };
    expect(isRemembered({ ...call, decision: 'deny' }, other, parser)).toBe(false);
  });
});
