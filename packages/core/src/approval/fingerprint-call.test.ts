import { beforeAll, describe, expect, it, test } from 'vitest';
import { loadParser } from '../../test/load-parser.ts';
import type { JsonObject } from '../contract/json.ts';
import type { CommandParser } from '../contract/ports.ts';
import { readCases } from '../testing/index.ts';
import { createApprovalLedger } from './approval-ledger.ts';
import { type CallToFingerprint, fingerprintCall } from './fingerprint-call.ts';

let parser: CommandParser;
beforeAll(async () => {
  parser = await loadParser();
});

type Call = { tool: string; input: JsonObject; cwd?: string };
type Row = {
  id: string;
  first: Call & { decision: 'approve_session' | 'approve_once' | 'deny' };
  next: Call;
  firstCwd?: string;
  expectHit: boolean;
};

/** What the specs of such tools answer from `approvalFor`. */
function facts({ tool, input, cwd = '.' }: Call): CallToFingerprint {
  const { changes } = input;
  const paths = Array.isArray(changes) ? changes.flatMap((change) => pathsOf(change)) : pathsOf(input);
  return {
    tool,
    input,
    cwd,
    env: [],
    discriminators: [],
    paths,
    command: tool === 'exec_shell' && typeof input.command === 'string' ? input.command : undefined,
    hosts: typeof input.url === 'string' ? [new URL(input.url).host] : [],
  };
}

function pathsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, text]) =>
    /^(?:path|old_path|new_path|from|to|source|destination)$/.test(name) && typeof text === 'string' ? [text] : [],
  );
}

function remembers(first: Row['first'], next: Call): boolean {
  const ledger = createApprovalLedger();
  const given = fingerprintCall(facts(first), parser);
  if (first.decision === 'deny') ledger.addDenial(given.exact, '');
  if (first.decision === 'approve_session') ledger.addGrant(given.grant?.fingerprint ?? given.exact);
  const asked = fingerprintCall(facts(next), parser);
  return ledger.findDenial(asked.exact) !== null || ledger.hasGrant(asked.grant?.fingerprint ?? asked.exact);
}

describe('cases/core/approval_fingerprint.json', () => {
  for (const row of readCases<Row>(new URL('../../../../cases/core/approval_fingerprint.json', import.meta.url))) {
    it(row.id, () => expect(remembers(row.first, row.next)).toBe(row.expectHit));
  }
});

describe('fingerprintCall', () => {
  const after = (first: string, next: string) =>
    remembers(
      { decision: 'approve_session', tool: 'exec_shell', input: { command: first } },
      { tool: 'exec_shell', input: { command: next } },
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
    expect(remembers({ ...call, decision: 'approve_once' }, call)).toBe(false);
    expect(remembers({ ...call, decision: 'deny' }, call)).toBe(true);
    expect(remembers({ ...call, decision: 'deny' }, { tool: 'exec_shell', input: { command: 'rm -rf /tmp/y' } })).toBe(
      false,
    );
  });
});
