import type { SessionEvent } from '@oneslot/core';
import { countSlot, type SlotCount } from './count-slot.ts';

// Rows that are derived from events. They are written by the statement that writes the events, so they cannot lag.

export type SessionChange = {
  title: string | null;
  status: string | null;
  mode: string | null;
  /** Set apart from null, since null is a model too: the installation's own choice. */
  model: { id: string | null } | null;
  lastText: string | null;
};

export type CallChange = {
  callId: string;
  name: string | null;
  tool: string | null;
  title: string | null;
  input: string | null;
  inputDigest: string | null;
  level: string | null;
  decision: string | null;
  readOnly: boolean | null;
  state: string;
  code: string | null;
  outputRef: string | null;
  tookMs: number | null;
  repair: string | null;
  planned: boolean;
  started: boolean;
  finished: boolean;
};

export type UsageChange = {
  index: number;
  modelId: string;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
};
export type Projection = { session: SessionChange; calls: CallChange[]; usage: UsageChange[]; counts: SlotCount[] };

const previewLength = 200;
/** What lists, badges and the inbox show; deltas are not among it, or every list would be read ten times a second. */
const listKinds: ReadonlySet<SessionEvent['kind']> = new Set([
  'session-created',
  'session-changed',
  'message-queued',
  'message-added',
  'step-completed',
  'approval-required',
  'approval-decided',
  'question-asked',
  'question-answered',
  'turn-started',
  'turn-finished',
]);

export function changesLists(events: readonly SessionEvent[]): boolean {
  return events.some((event) => listKinds.has(event.kind));
}

/** Several events of one call become one row: one statement may write a row only once. */
export function project(events: readonly SessionEvent[]): Projection {
  const session: SessionChange = { title: null, status: null, mode: null, model: null, lastText: null };
  const calls = new Map<string, CallChange>();
  const usage: UsageChange[] = [];
  events.forEach((event, index) => {
    applyToSession(session, event);
    if ('callId' in event) applyToCall(callOf(calls, event.callId), event);
    if (event.kind === 'usage-recorded') {
      const { modelId, inputTokens, cachedTokens, outputTokens } = event;
      usage.push({ index, modelId, inputTokens, cachedTokens, outputTokens });
    }
  });
  const changed = [...calls.values()].filter((call) => call.state !== '');
  return { session, calls: changed, usage, counts: countSlot(events) };
}

function applyToSession(session: SessionChange, event: SessionEvent): void {
  if (event.kind === 'session-changed') {
    if (event.title !== undefined) session.title = plain(event.title);
    if (event.status !== undefined) session.status = event.status;
    if (event.mode !== undefined) session.mode = event.mode;
    if (event.modelId !== undefined) session.model = { id: event.modelId };
  }
  const isText = event.kind === 'message-added' || event.kind === 'step-completed';
  if (isText && event.text.trim() !== '') session.lastText = plain(event.text).trim().slice(0, previewLength);
}

function callOf(calls: Map<string, CallChange>, callId: string): CallChange {
  const known = calls.get(callId);
  if (known) return known;
  const fresh: CallChange = {
    callId,
    name: null,
    tool: null,
    title: null,
    input: null,
    inputDigest: null,
    level: null,
    decision: null,
    readOnly: null,
    state: '',
    code: null,
    outputRef: null,
    tookMs: null,
    repair: null,
    planned: false,
    started: false,
    finished: false,
  };
  calls.set(callId, fresh);
  return fresh;
}

function applyToCall(call: CallChange, event: SessionEvent): void {
  switch (event.kind) {
    case 'call-planned':
      Object.assign(call, {
        name: plain(event.name),
        tool: event.tool,
        title: plain(event.title),
        input: JSON.stringify(event.input),
        inputDigest: event.inputDigest,
        level: event.level,
        decision: event.decision,
        readOnly: event.readOnly,
        repair: event.repair && JSON.stringify(event.repair),
        planned: true,
        state: 'planned',
      });
      return;
    case 'approval-required':
      call.state = 'waiting';
      return;
    case 'approval-decided':
      if (event.decision === 'approved') call.state = 'planned';
      return;
    case 'call-started':
      call.state = 'running';
      call.started = true;
      return;
    case 'call-finished':
      call.state = endState(event.result);
      call.code = event.result.code;
      call.outputRef = event.result.outputRef;
      call.tookMs = event.result.tookMs;
      call.finished = true;
      return;
    default:
      return;
  }
}

type EndedCall = Pick<Extract<SessionEvent, { kind: 'call-finished' }>['result'], 'ok' | 'code'>;

/** How a call ended, for rows and pages alike. A failure without a code is a finding, such as a non-zero exit. */
export function endState({ ok, code }: EndedCall): 'done' | 'failed' | 'unknown' {
  if (code === 'interrupted') return 'unknown';
  return ok ? 'done' : 'failed';
}

/** Text columns cannot hold NUL; the event itself keeps it. */
function plain(text: string): string {
  return text.replaceAll('\0', '\u{fffd}');
}
