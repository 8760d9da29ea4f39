import { HostError, type SessionEvent, type StoredEvent, sessionEventSchema } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import type { Followers } from '../sessions/followers.ts';
import { type CallChange, changesLists, endState, project } from './projections.ts';

const eventChannel = 'oneslot_events';

export type AppendRequest = {
  sessionId: string;
  events: readonly SessionEvent[];
  epoch: number | null;
  at: Date;
  runner: string;
};
export type Appended = { first: number; organizationId: string; lists: boolean };

export type EventStore = {
  insert(request: AppendRequest): Promise<Appended>;
  read(sessionId: string, fromSeq: number, limit: number): Promise<StoredEvent[]>;
  lastSeq(sessionId: string): Promise<number>;
  latest<K extends SessionEvent['kind']>(
    sessionId: string,
    kind: K,
  ): Promise<Extract<SessionEvent, { kind: K }> | null>;
  /** Hears of other runners' writes; `runner` is the own name, which is skipped. */
  listen(runner: string, followers: Followers): Promise<() => Promise<void>>;
  notifyLists(runner: string, organizationId: string): Promise<void>;
};

export function createEventStore(database: Database): EventStore {
  return {
    insert: (request) => insertEvents(database, request),
    read: (sessionId, fromSeq, limit) => readEvents(database, sessionId, fromSeq, limit),
    lastSeq: (sessionId) => lastSeq(database, sessionId),
    latest: (sessionId, kind) => latestEvent(database, sessionId, kind),
    listen: (runner, followers) => database.listen(eventChannel, (payload) => passOn(payload, runner, followers)),
    notifyLists: (runner, organizationId) => notifyLists(database, runner, organizationId),
  };
}

function passOn(payload: string | null, runner: string, followers: Followers): void {
  if (payload === null) {
    followers.wakeAll();
    return;
  }
  const [origin, lists, sessionId, organizationId] = payload.split('|');
  if (origin === runner) return;
  if (sessionId) followers.wakeSession(sessionId);
  if (lists === '1' && organizationId) followers.wakeLists(organizationId);
}

/** Events and what is derived from them in one statement: raise the counter, check the fence, insert. */
async function insertEvents({ pool, kind }: Database, request: AppendRequest): Promise<Appended> {
  const { sessionId, events, epoch, at } = request;
  const { session, calls, usage, counts } = project(events);
  const lists = changesLists(events);
  const { rows } = await pool.query<{ first: number; organizationId: string }>({
    name: 'append-events',
    text: appendSql,
    values: [
      sessionId,
      events.length,
      epoch,
      at,
      events.map((event) => event.kind),
      events.map((event) => JSON.stringify(event)),
      session.title,
      session.status,
      session.mode,
      session.model !== null,
      session.model?.id ?? null,
      session.lastText,
      kind === 'postgres' ? `${request.runner}|${lists ? 1 : 0}|${sessionId}|` : null,
      ...callColumns(calls),
      usage.map((row) => row.index),
      usage.map((row) => row.modelId),
      usage.map((row) => row.inputTokens),
      usage.map((row) => row.cachedTokens),
      usage.map((row) => row.outputTokens),
      counts.map((row) => row.index),
      counts.map((row) => row.modelId),
      counts.map((row) => row.kind),
      counts.map((row) => row.name),
      counts.map((row) => row.count),
    ],
  });
  const row = rows[0];
  if (!row) throw await whyNot({ pool }, sessionId);
  return { first: row.first, organizationId: row.organizationId, lists };
}

/** Tells other runners that lists of an organization changed without an event, such as a removed session. */
async function notifyLists({ pool, kind }: Database, runner: string, organizationId: string): Promise<void> {
  if (kind !== 'postgres') return;
  await pool.query('SELECT pg_notify($1, $2)', [eventChannel, `${runner}|1||${organizationId}`]);
}

async function readEvents(
  { pool }: Database,
  sessionId: string,
  fromSeq: number,
  limit: number,
): Promise<StoredEvent[]> {
  const { rows } = await pool.query<{ seq: number; at: Date; payload: unknown }>({
    name: 'read-events',
    text: 'SELECT seq, at, payload FROM "Event" WHERE "sessionId" = $1 AND seq >= $2 ORDER BY seq LIMIT $3',
    values: [sessionId, fromSeq, limit],
  });
  return rows.map((row) => ({
    sessionId,
    seq: row.seq,
    at: row.at.getTime(),
    event: withState(sessionEventSchema.parse(row.payload)),
  }));
}

function withState(event: SessionEvent): SessionEvent {
  return event.kind === 'call-finished' ? { ...event, state: endState(event.result) } : event;
}

async function lastSeq({ pool }: Database, sessionId: string): Promise<number> {
  const { rows } = await pool.query<{ last: number }>('SELECT "nextSeq" - 1 AS last FROM "Session" WHERE id = $1', [
    sessionId,
  ]);
  return rows[0]?.last ?? 0;
}

async function latestEvent<K extends SessionEvent['kind']>(
  { pool }: Database,
  sessionId: string,
  kind: K,
): Promise<Extract<SessionEvent, { kind: K }> | null> {
  const { rows } = await pool.query<{ payload: unknown }>(
    'SELECT payload FROM "Event" WHERE "sessionId" = $1 AND kind = $2 ORDER BY seq DESC LIMIT 1',
    [sessionId, kind],
  );
  if (!rows[0]) return null;
  const event = withState(sessionEventSchema.parse(rows[0].payload));
  return isKind(event, kind) ? event : null;
}

function isKind<K extends SessionEvent['kind']>(
  event: SessionEvent,
  kind: K,
): event is Extract<SessionEvent, { kind: K }> {
  return event.kind === kind;
}

async function whyNot({ pool }: Pick<Database, 'pool'>, sessionId: string): Promise<HostError> {
  const { rowCount } = await pool.query('SELECT 1 FROM "Session" WHERE id = $1', [sessionId]);
  if (!rowCount) return new HostError('not_found', 'No session with this id.');
  return new HostError(
    'conflict',
    `The lease of session ${sessionId} went to another runner; this one may not write any more.`,
  );
}

function callColumns(calls: readonly CallChange[]): unknown[] {
  return [
    calls.map((call) => call.callId),
    calls.map((call) => call.name),
    calls.map((call) => call.tool),
    calls.map((call) => call.title),
    calls.map((call) => call.input),
    calls.map((call) => call.inputDigest),
    calls.map((call) => call.level),
    calls.map((call) => call.decision),
    calls.map((call) => call.readOnly),
    calls.map((call) => call.state),
    calls.map((call) => call.code),
    calls.map((call) => call.outputRef),
    calls.map((call) => call.tookMs),
    calls.map((call) => call.repair),
    calls.map((call) => call.planned),
    calls.map((call) => call.started),
    calls.map((call) => call.finished),
  ];
}

// Payloads travel as text and are cast: taking a json array apart would decode escapes that text cannot hold.
const appendSql = `
WITH session AS (
  UPDATE "Session" SET
    "nextSeq" = "nextSeq" + $2::int,
    "updatedAt" = $4::timestamptz,
    title = COALESCE($7::text, title),
    status = COALESCE($8::text, status),
    mode = COALESCE($9::text, mode),
    "modelId" = CASE WHEN $10::boolean THEN $11::text ELSE "modelId" END,
    "lastText" = COALESCE($12::text, "lastText")
  WHERE id = $1::text AND ($3::int IS NULL OR "leaseEpoch" = $3::int)
  RETURNING id, "organizationId", "nextSeq" - $2::int AS first
), written AS (
  INSERT INTO "Event" ("sessionId", seq, "organizationId", kind, payload, at)
  SELECT s.id, s.first + e.place::int - 1, s."organizationId", e.kind, e.payload::json, $4::timestamptz
  FROM session s, unnest($5::text[], $6::text[]) WITH ORDINALITY AS e(kind, payload, place)
), called AS (
  INSERT INTO "ToolCall" ("sessionId", "organizationId", "callId", name, tool, title, input, "inputDigest", level, decision,
    "readOnly", state, code, "outputRef", "tookMs", repair, "plannedAt", "startedAt", "finishedAt")
  SELECT s.id, s."organizationId", c.call_id, c.name, c.tool, c.title, c.input::json, c.digest, c.level, c.decision,
    c.read_only, c.state, c.code, c.output_ref, c.took_ms, c.repair::json,
    CASE WHEN c.planned THEN $4::timestamptz END, CASE WHEN c.started THEN $4::timestamptz END,
    CASE WHEN c.finished THEN $4::timestamptz END
  FROM session s, unnest($14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[],
    $22::boolean[], $23::text[], $24::text[], $25::text[], $26::float8[], $27::text[], $28::boolean[], $29::boolean[],
    $30::boolean[]) AS c(call_id, name, tool, title, input, digest, level, decision, read_only, state, code, output_ref,
    took_ms, repair, planned, started, finished)
  ON CONFLICT ("sessionId", "callId") DO UPDATE SET
    name = COALESCE(EXCLUDED.name, "ToolCall".name),
    tool = COALESCE(EXCLUDED.tool, "ToolCall".tool),
    title = COALESCE(EXCLUDED.title, "ToolCall".title),
    input = COALESCE(EXCLUDED.input, "ToolCall".input),
    "inputDigest" = COALESCE(EXCLUDED."inputDigest", "ToolCall"."inputDigest"),
    level = COALESCE(EXCLUDED.level, "ToolCall".level),
    decision = COALESCE(EXCLUDED.decision, "ToolCall".decision),
    "readOnly" = COALESCE(EXCLUDED."readOnly", "ToolCall"."readOnly"),
    state = EXCLUDED.state,
    code = COALESCE(EXCLUDED.code, "ToolCall".code),
    "outputRef" = COALESCE(EXCLUDED."outputRef", "ToolCall"."outputRef"),
    "tookMs" = COALESCE(EXCLUDED."tookMs", "ToolCall"."tookMs"),
    repair = COALESCE(EXCLUDED.repair, "ToolCall".repair),
    "plannedAt" = COALESCE("ToolCall"."plannedAt", EXCLUDED."plannedAt"),
    "startedAt" = COALESCE("ToolCall"."startedAt", EXCLUDED."startedAt"),
    "finishedAt" = COALESCE(EXCLUDED."finishedAt", "ToolCall"."finishedAt")
), spent AS (
  INSERT INTO "Usage" ("sessionId", seq, "organizationId", "modelId", "inputTokens", "cachedTokens", "outputTokens", at)
  SELECT s.id, s.first + u.place, s."organizationId", u.model, u.input, u.cached, u.output, $4::timestamptz
  FROM session s, unnest($31::int[], $32::text[], $33::int[], $34::int[], $35::int[]) AS u(place, model, input, cached, output)
), counted AS (
  INSERT INTO "SlotCount" ("sessionId", seq, "organizationId", "modelId", kind, name, count, at)
  SELECT s.id, s.first + n.place, s."organizationId", COALESCE(n.model, (
    SELECT e.payload ->> 'modelId' FROM "Event" e
    WHERE e."sessionId" = s.id AND e.kind = 'step-started' ORDER BY e.seq DESC LIMIT 1
  ), 'unknown'), n.kind, n.name, n.count, $4::timestamptz
  FROM session s, unnest($36::int[], $37::text[], $38::text[], $39::text[], $40::int[]) AS n(place, model, kind, name, count)
)
SELECT s.first, s."organizationId",
  CASE WHEN $13::text IS NOT NULL THEN pg_notify('${eventChannel}', $13::text || s."organizationId")::text END AS told
FROM session s`;
