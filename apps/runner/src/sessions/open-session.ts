import {
  createDispatcher,
  createSessionCatalog,
  type Dialect,
  type EnvelopeStore,
  type PolicyPort,
  type PortSet,
  type SessionCatalog,
  type SessionEvent,
  type StoredEvent,
  type ToolDispatcher,
  ToolLock,
} from '@oneslot/core';
import { snapshotPolicy } from '../policy/session-policy.ts';
import { createApprovalInbox } from '../ports/approval-inbox.ts';
import { createSubjectPort } from '../ports/approval-subject.ts';
import { createEnvelopeStore } from '../ports/envelope-store.ts';
import { createTodos } from '../ports/session-todos.ts';
import { createUserPrompt } from '../ports/user-prompt.ts';
import { createWorkspaceFiles, createWorkspaceGit } from '../ports/workspace-files.ts';
import { createWorkspaceShell } from '../ports/workspace-shell.ts';
import type { SessionState } from '../store/contract.ts';
import { awaitSandbox } from './await-sandbox.ts';
import { findCheapModel } from './cheap-model.ts';
import { readSpilledTexts } from './read-spilled-texts.ts';
import { recallAnswers } from './recall-answers.ts';
import { recallSession, type SessionMemory } from './recall-session.ts';
import type { SessionDeps } from './session-deps.ts';
import { openLedger } from './session-ledger.ts';
import type { SessionLog } from './session-log.ts';
import { buildSystemPrompt } from './system-prompt.ts';
import { createTurnWriter, type TurnWriter } from './turn-sink.ts';

/** One session as its lease holder drives it: everything a turn is wired to. */
export type OpenSession = {
  readonly memory: SessionMemory;
  readonly dispatcher: ToolDispatcher;
  readonly writer: TurnWriter;
  readonly system: string;
  /** Mode and model as people set them last. */
  readonly state: SessionState;
  readonly catalog: SessionCatalog;
  /** What the model is told its tools in, from the next request on. */
  speak(dialect: Dialect): void;
  /** Reads them again, and with them the keys that are masked and the answers that hold: either may have changed meanwhile. */
  refresh(): Promise<void>;
  /** Who wrote the newest message: approvals name them as the one who asks. */
  setRequester(userId: string): void;
};

const plain: Dialect = 'plain';

export async function openSession(
  deps: SessionDeps,
  own: SessionLog,
  state: SessionState,
  events: readonly StoredEvent[],
): Promise<OpenSession> {
  const isBuiltin = (tool: string) => deps.catalog.specs.get(tool)?.source === 'builtin';
  const memory = recallSession(events, isBuiltin, await readSpilledTexts(deps.stores.envelopes, state.id, events));
  const live = {
    state,
    policy: policyOf(state, deps),
    requester: lastWriter(events) ?? state.ownerId,
    dialect: plain,
    ...(await readOrganization(deps, own, state)),
  };
  const envelopes = createEnvelopeStore(deps.stores.envelopes, ownerOf(state), deps.clock);
  const writer = createTurnWriter({ log: own, clock: deps.clock, envelopes, finished: memory.finished });
  const catalog = createSessionCatalog({
    catalog: deps.catalog,
    active: memory.activeTools,
    onActivated: (names) => own.post({ kind: 'tools-activated', names: [...names] }),
  });
  const onWaiting = (waiting: number) => own.post(statusEvent(waiting > 0 ? 'waiting' : 'running'));
  const context = { deps, own, state, memory, events, onWaiting };
  const { ledger, reload } = await openLedger(deps, state);
  const governed = createDispatcher({
    ...sharedParts(context, writer, envelopes),
    catalog,
    ports: createPorts(context, catalog.port, envelopes),
    policy: () => live.policy,
    cheapModel: () => live.cheap,
    dialect: () => live.dialect,
    approvals: createApprovalInbox({ ...inboxDeps(context), requestedBy: () => live.requester }),
    ledger,
    secrets: { values: () => live.secrets },
  });
  const dispatcher = awaitSandbox(governed, { ready: () => isReady(deps, state.id) });
  return {
    ...{ memory, dispatcher, writer, catalog, system: systemFor(deps) },
    speak(dialect) {
      live.dialect = dialect;
    },
    get state() {
      return live.state;
    },
    async refresh() {
      const [now, said] = await Promise.all([
        deps.stores.sessions.getSessionState(state.id),
        readOrganization(deps, own, state),
        reload(),
      ]);
      Object.assign(live, said, now && { state: now, policy: policyOf(now, deps) });
    },
    setRequester(userId) {
      live.requester = userId;
    },
  };
}

/** What the pipeline takes as it is, whatever people change meanwhile. */
function sharedParts({ deps, state, memory, events }: Context, writer: TurnWriter, envelopes: EnvelopeStore) {
  return {
    parser: deps.parser,
    subjects: createSubjectPort({
      open: () => deps.sandboxes.open(state.id),
      directory: () => memory.directory,
      imageDigest: deps.sandboxes.imageDigest,
    }),
    journal: writer.journal,
    envelopes,
    media: deps.media,
    answers: recallAnswers(events, (tool) => deps.catalog.specs.get(tool)?.tellsUnchanged === true),
    lock: new ToolLock(),
    clock: deps.clock,
    randomBytes: deps.random,
    report: deps.report,
  };
}

/** A sandbox that cannot be had keeps nobody waiting: each call then says so in its own result. */
async function isReady(deps: SessionDeps, sessionId: string): Promise<boolean> {
  try {
    await deps.sandboxes.open(sessionId);
    return true;
  } catch (cause) {
    deps.report({ message: `The sandbox of session ${sessionId} could not be opened.`, cause });
    return false;
  }
}

type Context = {
  deps: SessionDeps;
  own: SessionLog;
  state: SessionState;
  memory: SessionMemory;
  events: readonly StoredEvent[];
  onWaiting(waiting: number): void;
};

function inboxDeps({ deps, own, state, memory, onWaiting }: Context) {
  const { approvals } = deps.stores;
  const { log, clock, report } = deps;
  return { approvals, log, own, clock, session: state, announced: memory.announced, onWaiting, report };
}

function createPorts(
  context: Context,
  catalog: PortSet['catalog'],
  outputs: PortSet['outputs'],
): (callId: string) => PortSet {
  const { deps, own, state, memory, onWaiting } = context;
  const open = () => deps.sandboxes.open(state.id);
  const fixed: PortSet = {
    files: createWorkspaceFiles({
      open,
      seen: memory.seen,
      onWritten: (path) => own.post({ kind: 'files-changed', paths: [path] }),
    }),
    git: createWorkspaceGit(open),
    shell: createWorkspaceShell({
      open,
      owned: memory.ownedProcesses,
      ended: memory.endedProcesses,
      onDirectory(cwd) {
        memory.directory = cwd;
      },
    }),
    todos: createTodos(deps.log, own),
    ...(outputs ? { outputs } : {}),
    ...(catalog ? { catalog } : {}),
  };
  const asking = {
    questions: deps.stores.questions,
    log: deps.log,
    own,
    session: state,
    announced: memory.announced,
    onWaiting,
  };
  return (callId) => ({ ...fixed, user: createUserPrompt(asking, callId) });
}

/** What the organization says, as it says it now: keys to mask, and the model for summaries. */
async function readOrganization({ models, stores }: SessionDeps, log: SessionLog, { organizationId }: SessionState) {
  const [secrets, cheap] = await Promise.all([
    models.secrets(organizationId),
    findCheapModel({ models, settings: stores.models, log }, organizationId),
  ]);
  return { secrets, cheap };
}

function ownerOf({ organizationId, id: sessionId }: SessionState) {
  return { organizationId, sessionId };
}

function policyOf(state: SessionState, deps: SessionDeps): PolicyPort {
  return snapshotPolicy({ mode: state.mode, isolation: deps.sandboxes.isolation });
}

function lastWriter(events: readonly StoredEvent[]): string | null {
  const last = events.findLast(({ event }) => event.kind === 'message-added');
  return last?.event.kind === 'message-added' ? last.event.by : null;
}

/** The index lists every deferred tool, activated or not: it stands in the frozen prefix. */
function systemFor(deps: SessionDeps): string {
  const deferred = createSessionCatalog({ catalog: deps.catalog }).deferred();
  return buildSystemPrompt({ deferred, isolation: deps.sandboxes.isolation });
}

export function statusEvent(status: 'idle' | 'running' | 'waiting' | 'failed'): SessionEvent {
  return { kind: 'session-changed', status };
}
