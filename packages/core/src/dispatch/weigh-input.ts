import { judgeCommand } from '../approval/judge-command.ts';
import type { ApprovalFacts, Requirement } from '../approval/require-approval.ts';
import type { JsonObject } from '../contract/json.ts';
import type { CallFacts, CommandParser, PolicyPort, PolicyVerdict } from '../contract/ports.ts';
import type { CommandJudge, InputVerdict, ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';

/** Everything a verdict on one parsed input rests on, gathered from the tool, the policy snapshot and the command judge. */
export type Grounds = {
  policy: PolicyPort;
  verdict: InputVerdict;
  facts: CallFacts;
  rule: PolicyVerdict;
  hosts: ApprovalFacts['hosts'];
  mayLower: boolean;
};

export function weighInput(
  spec: ToolSpec,
  input: JsonObject,
  deps: Pick<DispatcherDeps, 'policy' | 'parser'>,
): Grounds {
  const policy = deps.policy();
  const verdict = spec.approvalFor(input, judgeWith(deps.parser));
  const facts = factsOf(spec, input, verdict, deps.parser);
  return {
    policy,
    verdict,
    facts,
    rule: policy.evaluate(facts),
    hosts: facts.hosts.map((host) => policy.hostVerdict(host)),
    mayLower: isLowerable(spec, policy),
  };
}

/** Grades a line, or says that it may do anything where no parser is at hand. */
function judgeWith(parser: CommandParser | null): CommandJudge {
  return (command) => judgeCommand(command, parser);
}

/** The list means our own tools: a foreign one may call itself whatever it likes. Code is only ever lowered where a sandbox holds it and the organization trusts that. */
function isLowerable(spec: ToolSpec, policy: PolicyPort): boolean {
  if (spec.source !== 'builtin' || !policy.loweringList.has(spec.name)) return false;
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

/** Refused whatever the mode: budget, broken definition, host policy, the tool's own word, a rule. */
export function refusalOf(spec: ToolSpec, grounds: Grounds): ToolError | null {
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

export function planMode(spec: ToolSpec): ToolError {
  return new ToolError('plan_mode', `${spec.name} may change something, and this session is in plan mode.`, {
    next: 'Go on with tools that only read, or present the plan so that the mode can be changed.',
  });
}

export function reasonFor(spec: ToolSpec, need: Requirement, { rule, facts }: Grounds): string {
  if (rule.effect === 'require' || (rule.effect === 'suggest' && need.level === 'suggest')) return rule.reason;
  if (need.hostOnly) return `The host policy asks before ${facts.hosts.join(', ')} is reached.`;
  if (spec.capabilities.has('external_effect'))
    return 'It changes something outside the session that cannot be undone here.';
  if (spec.capabilities.has('executes_code')) return 'It runs code.';
  if (spec.capabilities.has('writes_files')) return 'It changes files.';
  return spec.source === 'builtin' ? 'This tool asks first.' : 'What this tool does is not known.';
}
