import { applyMode } from '../approval/apply-mode.ts';
import { inputDigest } from '../approval/digest-call.ts';
import { judgeCommand } from '../approval/judge-command.ts';
import { isInward, type Requirement, readsOnly, requireApproval } from '../approval/require-approval.ts';
import type { JsonObject } from '../contract/json.ts';
import type { CallFacts, CommandParser, PolicyPort, PolicyVerdict, RepairRecord } from '../contract/ports.ts';
import type { ToolCall } from '../contract/tool-call.ts';
import type { CommandJudge, InputVerdict, ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import { guardedCall } from './guard-loops.ts';
import type { Plan } from './plan.ts';

export type InputToJudge = {
  call: ToolCall;
  spec: ToolSpec;
  /** Parsed and validated. */
  input: JsonObject;
  warnings: readonly string[];
  repair: RepairRecord | null;
  deps: Pick<DispatcherDeps, 'catalog' | 'policy' | 'parser'>;
};

/**
 * Budget → host policy → the tool's own verdict → rules → mode, over one parsed input. Pure: policy is a snapshot.
 * What is remembered of earlier answers also depends on the folder, so `approveCall` asks for it.
 */
export function judgeInput(given: InputToJudge): Plan {
  const { call, spec, input, deps } = given;
  const policy = deps.policy();
  const verdict = spec.approvalFor(input, judgeWith(deps.parser));
  const facts = factsOf(spec, input, verdict, deps.parser);
  const rule = policy.evaluate(facts);
  const hosts = facts.hosts.map((host) => policy.hostVerdict(host));
  const mayLower = isLowerable(spec, policy);
  const need = requireApproval({
    ...spec,
    builtin: spec.source === 'builtin',
    verdict,
    mayLower,
    hosts,
    rule: rule.effect,
  });
  const decision = applyMode({
    mode: policy.mode,
    isolation: policy.isolation,
    level: need.level,
    readOnlyTool: readsOnly(spec.capabilities),
    inward: isInward(spec),
    contained: need.contained,
    asksInPlanMode: spec.source === 'builtin' && verdict.asksInPlanMode === true,
  });
  const overlaps = spec.parallel || (mayLower && verdict.readOnly === true);
  const common = {
    call,
    input,
    inputDigest: inputDigest(spec.name, deps.catalog.version(spec.name), input),
    repair: given.repair,
    guarded: guardedCall(spec, input, need.readOnly),
    isAttempt: true,
    spec,
    level: need.level,
  };
  const error = refusalOf(spec, { policy, verdict, facts, rule, hosts, refused: decision === 'refuse' });
  if (error || decision === 'refuse') {
    const refusal = error ?? planMode(spec);
    return { ...common, kind: 'refused', error: refusal, concurrent: need.readOnly && overlaps && !spec.interactive };
  }
  return {
    ...common,
    kind: 'ready',
    warnings: given.warnings,
    readOnly: need.readOnly,
    concurrent: need.readOnly && overlaps && need.level === 'auto' && decision === 'run' && !spec.interactive,
    decision,
    reason: decision === 'ask' ? reasonFor(spec, need, rule, facts) : '',
    facts,
    verdict,
    approvers: rule.approvers,
  };
}

/** Grades a line, or says that it may do anything where no parser is at hand. */
export function judgeWith(parser: CommandParser | null): CommandJudge {
  return (command) => judgeCommand(command, parser);
}

/** Code is only ever lowered where a sandbox holds it and the organization trusts that. */
function isLowerable(spec: ToolSpec, policy: PolicyPort): boolean {
  if (!policy.loweringList.has(spec.name)) return false;
  if (!spec.capabilities.has('executes_code')) return true;
  const trusting = policy.mode === 'agent' || policy.mode === 'autopilot';
  return trusting && policy.autoInSandbox && policy.isolation !== 'none';
}

function factsOf(spec: ToolSpec, input: JsonObject, verdict: InputVerdict, parser: CommandParser | null): CallFacts {
  return {
    tool: spec.name,
    source: spec.source,
    capabilities: [...spec.capabilities],
    input,
    command: verdict.command === undefined ? [] : judgeCommand(verdict.command, parser).simple,
    paths: verdict.paths ?? [],
    hosts: verdict.hosts ?? [],
  };
}

type Grounds = {
  policy: PolicyPort;
  verdict: InputVerdict;
  facts: CallFacts;
  rule: PolicyVerdict;
  hosts: readonly ('allow' | 'ask' | 'deny')[];
  refused: boolean;
};

function refusalOf(spec: ToolSpec, grounds: Grounds): ToolError | null {
  const { policy, verdict, facts, rule, hosts } = grounds;
  if (policy.budgetStop !== null)
    return new ToolError('quota_exceeded', policy.budgetStop, { next: 'Tell the user; only a higher budget helps.' });
  if (spec.failClosed !== undefined)
    return new ToolError('unavailable', `${spec.name} is unavailable: ${spec.failClosed}`, {
      next: 'Use another tool.',
    });
  const denied = facts.hosts.find((_, index) => hosts[index] === 'deny');
  if (denied !== undefined) {
    return new ToolError('denied_by_policy', `The host policy denies ${denied}.`, {
      next: 'Do without it, or ask the user to have an administrator allow it.',
    });
  }
  if (verdict.refuse !== undefined)
    return new ToolError('denied_by_policy', `${spec.name} was refused: ${verdict.refuse}`, {
      next: 'Do it another way.',
    });
  if (rule.effect !== 'deny') return null;
  return new ToolError(
    'denied_by_policy',
    `A rule (${rule.ruleIds.join(', ')}) denies this ${spec.name} call: ${rule.reason}`,
    {
      next: 'Do it another way, or ask the user to have an administrator change the rule.',
    },
  );
}

function planMode(spec: ToolSpec): ToolError {
  return new ToolError('plan_mode', `${spec.name} may change something, and this session is in plan mode.`, {
    next: 'Go on with tools that only read, or present the plan so that the mode can be changed.',
  });
}

function reasonFor(spec: ToolSpec, need: Requirement, rule: PolicyVerdict, facts: CallFacts): string {
  if (rule.effect === 'require' || (rule.effect === 'suggest' && need.level === 'suggest')) return rule.reason;
  if (need.hostOnly) return `The host policy asks before ${facts.hosts.join(', ')} is reached.`;
  if (spec.capabilities.has('external_effect'))
    return 'It changes something outside the session that cannot be undone here.';
  if (spec.capabilities.has('executes_code')) return 'It runs code.';
  if (spec.capabilities.has('writes_files')) return 'It changes files.';
  return spec.source === 'builtin' ? 'This tool asks first.' : 'What this tool does is not known.';
}
