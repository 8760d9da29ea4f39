import { randomUUID } from 'node:crypto';
import { HostError, runTurn, type SessionEvent, ToolError, type TranscriptItem } from '@oneslot/core';
import type { QueuedMessage, SessionState } from '../store/contract.ts';
import { leaseMs } from '../store/lease-store.ts';
import { buildTranscript } from './build-transcript.ts';
import { closeOpenCalls } from './close-open-calls.ts';
import { followChoice } from './follow-choice.ts';
import { missedAnswers } from './missed-answers.ts';
import { openModel } from './open-model.ts';
import { type OpenSession, openSession, statusEvent } from './open-session.ts';
import { readAllEvents } from './read-all-events.ts';
import { readSpilledTexts } from './read-spilled-texts.ts';
import { releaseLease } from './release-lease.ts';
import { renewPrefix } from './renew-prefix.ts';
import type { SessionDeps } from './session-deps.ts';
import { createSessionLog, type SessionLog } from './session-log.ts';

export type DriveOutcome = { error: unknown; wokenAgain: boolean };
type Turn = { id: string; controller: AbortController; ended: Promise<void> };

const heartbeatMs = 5_000;
/** A long task is no endless one: circles end by the loop guard, this only ends what nobody would wait for. */
const maxSteps = 1_000;

/** What a turn must answer, though nothing is queued: what broke off, was added, or was refused and is left out now. */
const startsWork: ReadonlySet<SessionEvent['kind']> = new Set(['turn-started', 'message-added', 'block-dropped']);

/** Works on one session from taking its lease until nothing is left to do. */
export class SessionDrive {
  readonly ended: Promise<DriveOutcome>;
  readonly #deps: SessionDeps;
  readonly #sessionId: string;
  /** Settles when the lease is gone, by loss or by shutdown; whatever still runs is left where it stands. */
  readonly #gone = Promise.withResolvers<void>();
  #woken = false;
  #turn: Turn | null = null;
  #own: SessionLog | null = null;
  #session: OpenSession | null = null;
  #epoch = 0;

  constructor(deps: SessionDeps, sessionId: string) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.ended = this.#run().then(
      () => ({ error: null, wokenAgain: this.#woken }),
      (error: unknown) => ({ error, wokenAgain: false }),
    );
  }

  get running(): boolean {
    return this.#turn !== null;
  }

  wake(): void {
    this.#woken = true;
    this.#look().catch((cause) => this.#deps.report({ message: 'A session could not be read again.', cause }));
  }

  /** A change of mode must hold for the next call, one of the model for the next request, and a stop at once. */
  async #look(): Promise<void> {
    await this.#session?.refresh();
    if (this.#turn) await this.#obeyStop(this.#turn);
  }

  /** Asked for through another runner, or through one that died since. */
  async #obeyStop({ id, controller }: Turn): Promise<void> {
    if (await this.#deps.stores.turns.stopRequested(id)) controller.abort(stopped());
  }

  async stop(): Promise<void> {
    const turn = this.#turn;
    turn?.controller.abort(stopped());
    await Promise.race([turn?.ended, this.#gone.promise]);
  }

  /** Lets go at once and leaves everything as a crash would; pending approvals stay pending. */
  async abandon(): Promise<void> {
    this.#letGo();
    await this.ended;
  }

  #letGo(): void {
    // First the log, then the work: what ends now must not be written down as an end.
    this.#own?.close();
    this.#turn?.controller.abort(new ToolError('cancelled', 'The runner goes down.'));
    this.#gone.resolve();
  }

  async #run(): Promise<void> {
    const { stores, runnerId, clock, log } = this.#deps;
    const lease = await stores.sessions.takeLease(this.#sessionId, runnerId, new Date(clock.now()));
    if (!lease) return;
    this.#epoch = lease.epoch;
    const own = createSessionLog(log, { sessionId: this.#sessionId, epoch: lease.epoch, clock });
    this.#own = own;
    const timer = new AbortController();
    void this.#keepLease(timer.signal);
    try {
      await Promise.race([this.#work(own), this.#gone.promise]);
    } finally {
      timer.abort();
      own.close();
      await releaseLease(this.#deps, this.#sessionId, lease.epoch);
    }
  }

  async #keepLease(signal: AbortSignal): Promise<void> {
    const { stores, runnerId, clock, report } = this.#deps;
    let renewedAt = clock.now();
    for (;;) {
      await clock.sleep(heartbeatMs, signal);
      if (signal.aborted) return;
      try {
        const kept = await stores.sessions.renewLease(this.#sessionId, runnerId, this.#epoch, new Date(clock.now()));
        if (!kept) return this.#letGo();
        renewedAt = clock.now();
      } catch (cause) {
        report({ message: `The lease of session ${this.#sessionId} could not be renewed.`, cause });
        if (clock.now() - renewedAt >= leaseMs) return this.#letGo();
      }
    }
  }

  async #work(own: SessionLog): Promise<void> {
    const state = await this.#deps.stores.sessions.getSessionState(this.#sessionId);
    if (!state) return;
    const { session, pending } = await this.#open(own, state);
    this.#session = session;
    try {
      // Whoever changed something while it was being opened found no session to tell.
      if (this.#woken) await session.refresh();
      if (pending) await this.#runTurn(session);
      for (;;) {
        this.#woken = false;
        const queued = await this.#deps.stores.messages.listQueued(this.#sessionId);
        if (queued.length === 0) return;
        await this.#runTurn(session, queued);
      }
    } catch (error) {
      if (!isConflict(error)) await this.#giveUp(own, error);
      throw error;
    }
  }

  /** `pending`: a turn is open, or a message was added that no turn has answered. */
  async #open(own: SessionLog, state: SessionState): Promise<{ session: OpenSession; pending: boolean }> {
    let events = await readAllEvents(this.#deps.log, this.#sessionId);
    const lastEnd = events.findLastIndex(({ event }) => event.kind === 'turn-finished');
    const since = events.slice(lastEnd + 1);
    const isOpen = since.some(({ event }) => event.kind === 'turn-started');
    const answers = isOpen ? await missedAnswers(events, this.#deps.stores) : [];
    const closing = isOpen ? [...answers, ...closeOpenCalls(events)] : [];
    if (closing.length > 0) {
      await own.append(closing);
      events = await readAllEvents(this.#deps.log, this.#sessionId);
    }
    const session = await openSession(this.#deps, own, state, events);
    const pending = since.some(({ event }) => startsWork.has(event.kind));
    return { session, pending };
  }

  #runTurn(session: OpenSession, queued: readonly QueuedMessage[] = []): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const id = session.memory.openTurn?.turnId ?? randomUUID();
    const controller = new AbortController();
    // For those who only wait for the end; how it ended is reported where the turn was started.
    const ended = promise.catch(() => undefined);
    const turn = { id, controller, ended };
    this.#turn = turn;
    this.#playTurn(session, turn, queued).then(resolve, reject);
    return promise.finally(() => {
      this.#turn = null;
    });
  }

  async #playTurn(session: OpenSession, turn: Turn, queued: readonly QueuedMessage[]): Promise<void> {
    const { stores, clock, sandboxes } = this.#deps;
    const { memory, writer } = session;
    const resumed = memory.openTurn !== null;
    sandboxes.warm(this.#sessionId);
    await this.#addMessages(session, queued, [statusEvent('running')]);
    const choice = await followChoice(session, (state) => openModel(this.#deps.models, state));
    const { model } = choice;
    if (resumed) await this.#obeyStop(turn);
    else await this.#createTurn(turn.id, model.id, session.state);
    // Only now: a crash before would leave messages that nobody answers.
    await this.#markTaken(session, queued);
    const end = await runTurn({
      turnId: turn.id,
      model,
      dispatcher: session.dispatcher,
      transcript: await this.#transcript(),
      system: session.system,
      sink: writer.sink,
      signal: turn.controller.signal,
      clock,
      resumed,
      previousPrefix: memory.prefix,
      renewPrefix: async () =>
        renewPrefix(session, await choice.follow(), () => readAllEvents(this.#deps.log, this.#sessionId)),
      takeFollowUps: () => this.#takeFollowUps(session),
      maxSteps,
    });
    memory.openTurn = null;
    memory.prefix = end.prefix;
    await writer.append([statusEvent(end.status === 'failed' || end.status === 'halted' ? 'failed' : 'idle')]);
    const { status, reason } = end;
    await stores.turns.finishTurn(turn.id, { status, reason, at: new Date(clock.now()) });
  }

  /** A crash may have left the row of a turn whose first event was never written. */
  async #createTurn(id: string, modelId: string, state: SessionState): Promise<void> {
    const { turns } = this.#deps.stores;
    const stale = await turns.openTurn(this.#sessionId);
    const reason = 'The runner was restarted before this turn began.';
    if (stale) await turns.finishTurn(stale.id, { status: 'failed', reason, at: new Date(this.#deps.clock.now()) });
    await turns.createTurn({
      id,
      sessionId: this.#sessionId,
      organizationId: state.organizationId,
      modelId,
      epoch: this.#epoch,
    });
  }

  async #takeFollowUps(session: OpenSession): Promise<TranscriptItem[]> {
    if (!this.#woken) return [];
    this.#woken = false;
    await session.refresh();
    const queued = await this.#deps.stores.messages.listQueued(this.#sessionId);
    const added = await this.#addMessages(session, queued);
    return [...added, ...(await this.#markTaken(session, queued))];
  }

  /** First the event, then the row: a message that is added twice would be worse only than one that is lost, and known ids prevent it. */
  async #addMessages(
    session: OpenSession,
    queued: readonly QueuedMessage[],
    also: SessionEvent[] = [],
  ): Promise<TranscriptItem[]> {
    const fresh = queued.filter((message) => !session.memory.addedMessages.has(message.messageId));
    const events = fresh.map((message) => ({ kind: 'message-added' as const, ...message }));
    await session.writer.append([...events, ...also]);
    for (const { messageId, by } of fresh) {
      session.memory.addedMessages.add(messageId);
      session.setRequester(by);
    }
    return fresh.map(({ text }) => ({ kind: 'user', text }));
  }

  async #markTaken(session: OpenSession, queued: readonly QueuedMessage[]): Promise<TranscriptItem[]> {
    if (queued.length === 0) return [];
    const options = { epoch: this.#epoch, limit: queued.length };
    const taken = await this.#deps.stores.messages.takeMessages(this.#sessionId, options);
    // One that was withdrawn meanwhile let a later one slip in: it is taken now, so it must be added now.
    return this.#addMessages(session, taken);
  }

  async #transcript(): Promise<TranscriptItem[]> {
    const events = await readAllEvents(this.#deps.log, this.#sessionId);
    return buildTranscript(events, await readSpilledTexts(this.#deps.stores.envelopes, this.#sessionId, events));
  }

  /** A bug must not be tried again for ever: the turn ends as failed, and the operator reads why. */
  async #giveUp(own: SessionLog, error: unknown): Promise<void> {
    const open = await this.#deps.stores.turns.openTurn(this.#sessionId);
    const reason =
      error instanceof HostError || error instanceof ToolError
        ? error.message
        : 'Oneslot failed with a bug; its log has the cause.';
    const events: SessionEvent[] = open ? [{ kind: 'turn-finished', turnId: open.id, status: 'failed', reason }] : [];
    await own.append([...events, statusEvent('failed')]);
    const at = new Date(this.#deps.clock.now());
    if (open) await this.#deps.stores.turns.finishTurn(open.id, { status: 'failed', reason, at });
  }
}

function stopped(): ToolError {
  return new ToolError('cancelled', 'The turn was stopped.');
}

/** The lease went to somebody else, who goes on from the log: nothing is wrong. */
export function isConflict(error: unknown): boolean {
  return error instanceof HostError && error.code === 'conflict';
}
