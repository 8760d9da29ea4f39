import type { JsonObject } from '../contract/json.ts';
import type {
  ApprovalDecision,
  ApprovalPort,
  ApprovalRequest,
  ApprovalSubject,
  BoundInput,
  CommandParser,
  EnvelopeStore,
  Level,
  PolicyVerdict,
  SubjectPort,
} from '../contract/ports.ts';
import { ToolError } from '../errors.ts';
import type { ApprovalLedger } from './approval-ledger.ts';
import { canonicalText, digestOf } from './digest-call.ts';
import { type CallFingerprints, fingerprintCall } from './fingerprint-call.ts';

/** A judged call as a person is asked about it. */
export type CallToApprove = {
  callId: string;
  tool: string;
  toolVersion: string;
  title: string;
  input: JsonObject;
  decision: 'run' | 'ask';
  level: Level;
  reason: string;
  command: string | undefined;
  paths: readonly string[];
  hosts: readonly string[];
  /** Stored outputs the call takes as text; what is approved is their bytes. */
  inputRefs?: readonly string[];
  /** Fields of the input that choose what is done, such as an operation; part of every remembered answer. */
  discriminators: readonly string[];
  /** Effects nobody can undo are asked about one by one. */
  grantable: boolean;
  approvers: PolicyVerdict['approvers'];
};

export type ApprovalDeps = {
  /** Null means nobody can be asked. */
  approvals: ApprovalPort | null;
  subjects: SubjectPort;
  envelopes: Pick<EnvelopeStore, 'info'>;
  ledger: ApprovalLedger;
  parser: CommandParser | null;
  /** Judges an input that a person changed, by the same rules as the model's. @throws ToolError where they refuse it */
  reconsider(input: JsonObject): CallToApprove;
};

/** What may run now, and what it was approved against; `subject` is null where nobody had to be asked. */
export type Approval = { call: CallToApprove; subject: ApprovalSubject | null; digest: string | null };

/**
 * Asks and waits as long as it takes, before any lock is held; a cancel that comes with the answer wins.
 * @throws ToolError approval_denied, approval_expired, denied_by_policy, cancelled
 */
export async function approveCall(call: CallToApprove, deps: ApprovalDeps, signal: AbortSignal): Promise<Approval> {
  if (call.decision === 'run') return { call, subject: null, digest: null };
  const subject = await describeSubject(call, deps);
  const prints = fingerprintCall({ ...call, cwd: subject.cwd, env: subject.env }, deps.parser);
  const denied = deps.ledger.findDenial(prints.exact);
  if (denied !== null) throw deniedBefore(call, denied);
  const scope = mayRemember(call) ? prints.grant : null;
  if (mayRemember(call) && deps.ledger.hasGrant(scope?.fingerprint ?? prints.exact))
    return { call, subject, digest: digestOf(subject) };
  if (!deps.approvals) throw noChannel(call);
  const request = requestFor(call, subject, prints, scope);
  const decision = await deps.approvals.request(request, signal);
  if (signal.aborted) throw new ToolError('cancelled', 'The turn was stopped while this call waited for approval.');
  return follow(decision, { call, subject, request, prints }, deps);
}

/** The same bytes again just before they run; false where the world is no longer the one that was approved. */
export async function stillApproved(approval: Approval, deps: SubjectDeps): Promise<boolean> {
  if (approval.subject === null) return true;
  return digestOf(await describeSubject(approval.call, deps)) === approval.digest;
}

type Asked = { call: CallToApprove; subject: ApprovalSubject; request: ApprovalRequest; prints: CallFingerprints };

async function follow(decision: ApprovalDecision, asked: Asked, deps: ApprovalDeps): Promise<Approval> {
  const { call, subject, request, prints } = asked;
  switch (decision.kind) {
    case 'approved':
      if (decision.digest !== request.digest) {
        throw new ToolError('conflict', `The approval is for other bytes than those of this ${call.tool} call.`, {
          next: 'Make the call again.',
        });
      }
      if (decision.scope === 'session' && mayRemember(call))
        deps.ledger.addGrant(prints.grant?.fingerprint ?? prints.exact, {
          by: decision.by,
          words: prints.grant?.words ?? exactWords,
        });
      return { call, subject, digest: request.digest };
    case 'edited':
      return edited(decision.input, deps);
    case 'denied':
      deps.ledger.addDenial(prints.exact, { by: decision.by, words: exactWords, reason: decision.reason ?? '' });
      throw new ToolError(
        'approval_denied',
        `A person denied this ${call.tool} call${decision.reason ? `: ${decision.reason}` : '.'}`,
        {
          next: 'Do not repeat it unchanged; do it another way or ask what is wanted.',
        },
      );
    case 'expired':
      throw new ToolError('approval_expired', `Nobody answered before the deadline of this ${call.tool} call.`, {
        next: 'Go on without it, or ask again later.',
      });
    case 'no_channel':
      throw noChannel(call);
  }
}

/** Whoever edits has seen and wants exactly this, so it needs no second question, only the same checks. */
async function edited(input: JsonObject, deps: ApprovalDeps): Promise<Approval> {
  const call = deps.reconsider(input);
  const subject = await describeSubject(call, deps);
  return { call, subject, digest: digestOf(subject) };
}

type SubjectDeps = Pick<ApprovalDeps, 'subjects' | 'envelopes'>;

async function describeSubject(call: CallToApprove, deps: SubjectDeps): Promise<ApprovalSubject> {
  const world = await deps.subjects.describe(call.paths);
  const inputs = await Promise.all((call.inputRefs ?? []).map((ref) => bindInput(ref, deps.envelopes)));
  const { tool, toolVersion, input } = call;
  const subject = { tool, toolVersion, input, ...world, paths: [...call.paths], hosts: [...call.hosts] };
  return inputs.length === 0 ? subject : { ...subject, inputs };
}

/** A ref says nothing of what it stands for: the digest covers the hash of its bytes. */
async function bindInput(ref: string, envelopes: SubjectDeps['envelopes']): Promise<BoundInput> {
  const info = await envelopes.info(ref);
  if (info) return { ref, bytes: info.bytes, sha256: info.sha256 };
  throw new ToolError(
    'not_found',
    `No stored output of this session has the ref ${JSON.stringify(ref.slice(0, 80))}.`,
    {
      next: `Call retrieve_tool_result ${JSON.stringify({ ref: ref.slice(0, 80) })} to read what became of it, or pass the text itself.`,
    },
  );
}

const exactWords = 'exactly this call, as long as folder and environment stay the same';

function requestFor(
  call: CallToApprove,
  subject: ApprovalSubject,
  prints: CallFingerprints,
  scope: CallFingerprints['grant'],
): ApprovalRequest {
  const { callId, level, reason, title } = call;
  const exact = { fingerprint: prints.exact, words: exactWords, examples: [] };
  return {
    callId,
    level,
    reason,
    title,
    subject,
    digest: digestOf(subject),
    canonicalText: canonicalText(subject),
    sessionScope: mayRemember(call) ? (scope ?? exact) : null,
  };
}

/** A rule that wants several people, or another than the one who asks, wants them each time. */
function mayRemember({ grantable, approvers }: CallToApprove): boolean {
  return grantable && (approvers === undefined || (approvers.count <= 1 && !approvers.notRequester));
}

function deniedBefore(call: CallToApprove, reason: string): ToolError {
  return new ToolError(
    'approval_denied',
    `A person denied exactly this ${call.tool} call before${reason === '' ? '.' : `: ${reason}`}`,
    {
      next: 'Do not repeat it unchanged.',
    },
  );
}

function noChannel(call: CallToApprove): ToolError {
  return new ToolError('approval_denied', `${call.tool} needs a person's approval, and nobody can be asked here.`, {
    next: 'Use a tool that needs no approval.',
  });
}
