import { applyMode } from '../approval/apply-mode.ts';
import { digestOf, inputDigest } from '../approval/digest-call.ts';
import { readsOnly, requireApproval } from '../approval/require-approval.ts';
import type { JsonObject } from '../contract/json.ts';
import type { CallFacts, Level, PolicyPort, RepairRecord } from '../contract/ports.ts';
import type { ToolCall } from '../contract/tool-call.ts';
import type { TurnEnding } from '../contract/tool-dispatcher.ts';
import type { InputVerdict, ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import type { DispatchState } from './dispatch-state.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import type { Plan, RefusedPlan } from './plan.ts';

/** One call to a plan; later rules read earlier results, so the order below is the order of the law. Pure: no I/O. */
export function planCall(call: ToolCall, ending: TurnEnding, deps: DispatcherDeps): Plan {
  const spec = deps.catalog.find(call.name);
  if (!spec) return refuse(call, null, new ToolError('not_available', `No tool is named "${call.name}".`));
  let input: JsonObject = {};
  try {
    input = JSON.parse(call.argumentsText || '{}') as JsonObject;
    const parsed = spec.parseInput(input);
    spec.validate(parsed.input);
    return judge(call, spec, parsed, deps);
  } catch (error) {
    if (error instanceof ToolError) return refuse(call, spec, error, input);
    return refuse(
      call,
      spec,
      new ToolError('invalid_input', `The arguments of ${spec.name} are no JSON object.`, { cause: error }),
      input,
    );
  }
}

function judge(
  call: ToolCall,
  spec: ToolSpec,
  parsed: { input: JsonObject; warnings: string[] },
  deps: DispatcherDeps,
): Plan {
  const policy = deps.policy();
  const verdict = spec.approvalFor(parsed.input, () => ({ class: 'executes', reasons: [], simple: [], refuse: null }));
  const facts = factsOf(spec, parsed.input, verdict);
  const rule = policy.evaluate(facts);
  const refusal = refusalOf(spec, verdict, rule, policy);
  if (refusal) return refuse(call, spec, refusal, parsed.input);
  const need = requireApproval({
    capabilities: spec.capabilities,
    uses: spec.uses,
    builtin: spec.source === 'builtin',
    verdict,
    mayLower: policy.loweringList.has(spec.name),
    hosts: facts.hosts.map((host) => policy.hostVerdict(host)),
    rule: rule.effect,
  });
  const decision = applyMode({
    mode: policy.mode,
    isolation: policy.isolation,
    level: need.level,
    readOnlyTool: readsOnly(spec.capabilities),
    inward: spec.capabilities.size === 0,
    contained: need.contained,
    asksInPlanMode: false,
  });
  if (decision === 'refuse')
    return refuse(
      call,
      spec,
      new ToolError('plan_mode', `${spec.name} changes something, and the session is in plan mode.`),
      parsed.input,
      need.level,
    );
  return {
    kind: 'ready',
    call,
    spec,
    input: parsed.input,
    warnings: parsed.warnings,
    level: need.level,
    readOnly: need.readOnly,
    concurrent: need.readOnly && spec.parallel && need.level === 'auto' && !spec.interactive,
    decision,
    reason: rule.reason,
    facts,
    approvers: rule.approvers,
    inputDigest: inputDigest(spec.name, deps.catalog.version(spec.name), parsed.input),
    repair: null,
  };
}

function refusalOf(
  spec: ToolSpec,
  verdict: InputVerdict,
  rule: ReturnType<PolicyPort['evaluate']>,
  policy: PolicyPort,
): ToolError | null {
  if (policy.budgetStop !== null) return new ToolError('quota_exceeded', policy.budgetStop);
  if (verdict.refuse !== undefined) return new ToolError('denied_by_policy', verdict.refuse);
  if (rule.effect === 'deny') return new ToolError('denied_by_policy', `${spec.name} was refused: ${rule.reason}`);
  return null;
}

function factsOf(spec: ToolSpec, input: JsonObject, verdict: InputVerdict): CallFacts {
  return {
    tool: spec.name,
    source: spec.source,
    capabilities: [...spec.capabilities],
    input,
    command: [],
    paths: verdict.paths ?? [],
    hosts: verdict.hosts ?? [],
  };
}

function refuse(
  call: ToolCall,
  spec: ToolSpec | null,
  error: ToolError,
  input: JsonObject = {},
  level: Level | null = null,
  repair: RepairRecord | null = null,
): RefusedPlan {
  const concurrent = spec !== null && spec.parallel && !spec.interactive && readsOnly(spec.capabilities);
  return {
    kind: 'refused',
    call,
    spec,
    error,
    concurrent,
    input,
    level,
    inputDigest: digestOf({ name: call.name, input }),
    repair,
    counts: 'failure',
  };
}

/** Judges the calls one after another and writes each verdict down before anything runs. */
export async function planCalls(calls: readonly ToolCall[], ending: TurnEnding, state: DispatchState): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const call of calls) {
    const plan = planCall(call, ending, state.deps);
    plans.push(plan);
    state.deps.journal.post({
      kind: 'call-planned',
      callId: call.callId,
      name: call.name,
      tool: plan.spec?.name ?? null,
      title: plan.kind === 'ready' ? plan.spec.title(plan.input) : call.name,
      input: plan.input,
      inputDigest: plan.inputDigest,
      level: plan.level,
      decision: plan.kind === 'ready' ? plan.decision : 'refused',
      readOnly: plan.kind === 'ready' && plan.readOnly,
      repair: plan.repair,
    });
  }
  return plans;
}
