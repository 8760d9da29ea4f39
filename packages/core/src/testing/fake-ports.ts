import type {
  ApprovalDecision,
  ApprovalPort,
  ApprovalRequest,
  CallEvent,
  CallJournal,
  Clock,
  PolicyPort,
  RandomBytes,
  SecretsPort,
  SubjectPort,
} from '../contract/ports.ts';
import type { ToolResult } from '../contract/tool-call.ts';

/** Time that moves only when told; sleepers wake in order. */
export function fakeClock(start = 1_700_000_000_000): Clock & { advance(ms: number): void } {
  let now = start;
  let sleepers: { at: number; wake(): void }[] = [];
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        signal?.addEventListener(
          'abort',
          () => {
            sleepers = sleepers.filter((one) => one !== sleeper);
            reject(signal.reason);
          },
          { once: true },
        );
        sleepers.push(sleeper);
      }),
    advance(ms) {
      now += ms;
      const due = sleepers.filter((one) => one.at <= now).sort((a, b) => a.at - b.at);
      sleepers = sleepers.filter((one) => one.at > now);
      for (const sleeper of due) sleeper.wake();
    },
  };
}

/** Deterministic bytes that never repeat, so tests read the same twice. */
export function fakeRandom(): RandomBytes {
  let state = 1;
  return (length) =>
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) & 0xff;
    });
}

export function fakeJournal(
  stored: ReadonlyMap<string, ToolResult> = new Map(),
): CallJournal & { events: CallEvent[] } {
  const events: CallEvent[] = [];
  return {
    events,
    append: async (event) => void events.push(event),
    post: (event) => void events.push(event),
    finished: async (callId) => stored.get(callId) ?? null,
  };
}

/** Answers every request with `decide`; without it every request is approved once. */
export function fakeApprovals(
  decide: (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision> = (request) => ({
    kind: 'approved',
    scope: 'once',
    by: 'user_1',
    digest: request.digest,
  }),
): ApprovalPort & { requests: ApprovalRequest[] } {
  const requests: ApprovalRequest[] = [];
  return {
    requests,
    request: async (request) => {
      requests.push(request);
      return decide(request);
    },
  };
}

/** Mode agent in a container, nothing listed, nothing denied. */
export function fakePolicy(changes: Partial<PolicyPort> = {}): PolicyPort {
  return {
    mode: 'agent',
    isolation: 'container',
    autoInSandbox: true,
    loweringList: new Set(),
    budgetStop: null,
    evaluate: () => ({ effect: 'none', ruleIds: [], reason: '' }),
    hostVerdict: () => 'ask',
    ...changes,
  };
}

export function fakeSubjects(hashes: Record<string, string> = {}): SubjectPort {
  return {
    describe: async (paths) => ({
      cwd: '/workspace',
      env: [],
      imageDigest: 'image-1',
      preconditions: paths.map((path) => ({ path, sha256: hashes[path] ?? null })),
    }),
  };
}

export function fakeSecrets(values: Record<string, string> = {}): SecretsPort {
  return { values: () => Object.entries(values).map(([name, value]) => ({ name, value })) };
}
