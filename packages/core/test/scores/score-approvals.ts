import { applyMode } from '../../src/approval/apply-mode.ts';
import { createApprovalLedger } from '../../src/approval/approval-ledger.ts';
import { type CallToFingerprint, fingerprintCall } from '../../src/approval/fingerprint-call.ts';
import { requireApproval } from '../../src/approval/require-approval.ts';
import { type Capability, capabilities as known } from '../../src/contract/capability.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { CommandParser, Level } from '../../src/contract/ports.ts';
import { brief, type RowScore, sameJson, score, unless } from './score.ts';

export type DerivationRow = {
  id: string;
  capabilities: string[];
  supportsParallel?: boolean;
  interactive?: boolean;
  declared?: string;
  perInput?: string;
  hostMayLower?: boolean;
  approver?: string;
  expect: { requirement: string; readOnly: boolean; parallelEligible: boolean; speculative: boolean; decision: string };
};

export function scoreDerivation(row: DerivationRow): RowScore {
  const capabilities = new Set(row.capabilities.flatMap(capabilityOf));
  const need = requireApproval({
    capabilities,
    uses: new Set(),
    builtin: true,
    declared: levelOf(row.declared),
    verdict: { level: levelOf(row.perInput) },
    mayLower: row.hostMayLower ?? false,
    hosts: [],
    rule: 'none',
  });
  const overlaps = need.readOnly && need.level === 'auto' && row.supportsParallel === true && row.interactive !== true;
  const decided = applyMode({
    mode: 'ask',
    isolation: 'container',
    level: need.level,
    readOnlyTool: need.readOnly,
    inward: false,
    contained: need.contained,
    asksInPlanMode: false,
  });
  const got = {
    requirement: `${need.level[0]?.toUpperCase() ?? ''}${need.level.slice(1)}`,
    readOnly: need.readOnly,
    parallelEligible: overlaps,
    speculative: overlaps && !capabilities.has('network'),
    decision: decided === 'ask' && row.approver === 'absent' ? 'deny' : decided,
  };
  return score(row.id, unless(sameJson(got, row.expect), brief(got, 300)));
}

/** The vectors write `ReadOnly`; a word that is no capability of ours stands for one nobody knows. */
function capabilityOf(name: string): Capability[] {
  const words = name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return known.filter((one) => one === words);
}

function levelOf(name: string | undefined): Level | undefined {
  return (['auto', 'suggest', 'required'] as const).find((level) => level === name?.toLowerCase());
}

type Call = { tool: string; input: JsonObject; cwd?: string };
export type FingerprintRow = {
  id: string;
  first: Call & { decision: 'approve_session' | 'approve_once' | 'deny' };
  next: Call;
  expectHit: boolean;
};

export function scoreFingerprint(row: FingerprintRow, parser: CommandParser): RowScore {
  const hit = isRemembered(row.first, row.next, parser);
  return score(row.id, unless(hit === row.expectHit, hit ? 'still remembered' : 'asked again'));
}

/** Whether the ledger, told of the first call's answer, knows the next call. */
export function isRemembered(first: FingerprintRow['first'], next: Call, parser: CommandParser): boolean {
  const ledger = createApprovalLedger();
  const given = fingerprintCall(facts(first), parser);
  const answer = { by: 'user_1', words: '' };
  if (first.decision === 'deny') ledger.addDenial(given.exact, { ...answer, reason: '' });
  if (first.decision === 'approve_session') ledger.addGrant(given.grant?.fingerprint ?? given.exact, answer);
  const asked = fingerprintCall(facts(next), parser);
  return ledger.findDenial(asked.exact) !== null || ledger.hasGrant(asked.grant?.fingerprint ?? asked.exact);
}

/** What the specs of such tools answer from `approvalFor`. */
function facts({ tool, input, cwd = '.' }: Call): CallToFingerprint {
  const { changes } = input;
  return {
    tool,
    input,
    cwd,
    env: [],
    discriminators: [],
    paths: Array.isArray(changes) ? changes.flatMap(pathsOf) : pathsOf(input),
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
