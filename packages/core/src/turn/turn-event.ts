import { z } from 'zod';

/** Payloads of the session's event log: one union, parsed where rows are read. Anything above 64 KiB lives in an envelope. */
const id = z.string().min(1);
const level = z.enum(['auto', 'suggest', 'required']);
const mode = z.enum(['plan', 'ask', 'agent', 'autopilot']);
const jsonObject = z.record(z.string(), z.unknown());

/** Text above the limit of a row lies whole in an envelope of that ref; the field beside it then holds only its head. */
const ref = z.string().min(1).optional();

const resultPart = z.object({ kind: z.literal('image'), mediaType: z.string(), base64: z.string() });
export const toolResultSchema = z.object({
  callId: id,
  ok: z.boolean(),
  code: z.string().nullable(),
  content: z.string(),
  contentRef: ref,
  data: z.unknown().optional(),
  parts: z.array(resultPart),
  warnings: z.array(z.string()),
  truncated: z.boolean(),
  outputRef: z.string().nullable(),
  untrusted: z.boolean(),
  tookMs: z.number(),
});

export const repairSchema = z.object({
  rung: z.string(),
  synthesized: z.boolean(),
  unrepaired: z.boolean(),
  before: z.string(),
  after: z.string(),
  nameBefore: z.string().nullable(),
});

const call = z.object({ callId: id, name: z.string(), argumentsText: z.string(), argumentsRef: ref });

/** A part of the conversation: the text or images of a call's result, or a person's message counted from 0. */
const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('result'), callId: id, part: z.enum(['image', 'text']) }),
  z.object({ kind: z.literal('message'), place: z.number().int() }),
]);
export type ConversationBlock = z.infer<typeof block>;

export const sessionEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session-created'), title: z.string(), mode, modelId: z.string().nullable() }),
  z.object({
    kind: z.literal('session-changed'),
    title: z.string().optional(),
    mode: mode.optional(),
    modelId: z.string().nullable().optional(),
    status: z.enum(['idle', 'running', 'waiting', 'failed']).optional(),
    by: z.string().nullable().optional(),
  }),
  z.object({ kind: z.literal('message-queued'), messageId: id, text: z.string(), by: z.string() }),
  z.object({ kind: z.literal('message-added'), messageId: id, text: z.string(), textRef: ref, by: z.string() }),
  z.object({ kind: z.literal('turn-started'), turnId: id, modelId: z.string(), resumed: z.boolean() }),
  z.object({
    kind: z.literal('step-started'),
    turnId: id,
    step: z.number().int(),
    prefixHash: z.string(),
    prefixAppendOnly: z.boolean(),
    tools: z.number().int(),
    requestBytes: z.number().int(),
    /** Who was asked; in logs of before it is the turn's model. */
    modelId: z.string().optional(),
  }),
  z.object({ kind: z.literal('text-appended'), step: z.number().int(), text: z.string() }),
  z.object({ kind: z.literal('reasoning-appended'), step: z.number().int(), text: z.string() }),
  z.object({ kind: z.literal('step-discarded'), step: z.number().int(), reason: z.string() }),
  z.object({
    kind: z.literal('step-completed'),
    step: z.number().int(),
    text: z.string(),
    textRef: ref,
    reasoning: z.string(),
    calls: z.array(call),
    ending: z.enum(['complete', 'cut_off']),
    forged: z.number().int(),
  }),
  z.object({
    kind: z.literal('call-planned'),
    callId: id,
    name: z.string(),
    tool: z.string().nullable(),
    title: z.string(),
    input: jsonObject,
    inputDigest: z.string(),
    level: level.nullable(),
    decision: z.enum(['run', 'ask', 'refused']),
    readOnly: z.boolean(),
    repair: repairSchema.nullable(),
    changedBy: z.enum(['person', 'hook']).optional(),
  }),
  z.object({
    kind: z.literal('approval-required'),
    approvalId: id,
    callId: id,
    tool: z.string(),
    title: z.string(),
    level,
    reason: z.string(),
    digest: z.string(),
    canonicalText: z.string(),
    input: jsonObject,
    scopeWords: z.string().nullable(),
    scopeExamples: z.array(z.string()),
    deadline: z.number(),
  }),
  z.object({
    kind: z.literal('approval-decided'),
    approvalId: id,
    callId: id,
    decision: z.enum(['approved', 'edited', 'denied', 'expired', 'cancelled', 'reopened']),
    scope: z.enum(['once', 'session']).nullable(),
    by: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('question-asked'),
    callId: id,
    questions: z.array(
      z.object({
        id,
        header: z.string(),
        question: z.string(),
        options: z.array(
          z.object({ label: z.string(), description: z.string().optional(), recommended: z.boolean().optional() }),
        ),
        multi: z.boolean(),
        freeText: z.boolean(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('question-answered'),
    callId: id,
    answers: z.array(
      z.object({
        id,
        labels: z.array(z.string()),
        freeText: z.string().nullable(),
        answeredBy: z.string(),
        answeredAt: z.number(),
      }),
    ),
  }),
  z.object({ kind: z.literal('call-started'), callId: id, early: z.boolean() }),
  z.object({ kind: z.literal('call-progressed'), callId: id, text: z.string() }),
  z.object({
    kind: z.literal('call-finished'),
    callId: id,
    result: toolResultSchema,
    /** Follows from the result, so it is not stored: whoever reads the log out says it, by one rule. */
    state: z.enum(['done', 'failed', 'unknown']).optional(),
  }),
  z.object({
    kind: z.literal('notice-added'),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    next: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('todos-changed'),
    version: z.number().int(),
    items: z.array(
      z.object({
        id,
        content: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed', 'blocked', 'cancelled']),
        owner: z.string().optional(),
        dependsOn: z.array(z.string()),
        note: z.string().optional(),
      }),
    ),
  }),
  z.object({ kind: z.literal('files-changed'), paths: z.array(z.string()) }),
  z.object({
    kind: z.literal('sandbox-changed'),
    engine: z.string(),
    isolation: z.enum(['none', 'simulated', 'namespace', 'container', 'vm']),
    phase: z.enum([
      'absent',
      'building-image',
      'creating',
      'starting',
      'connecting',
      'ready',
      'lost',
      'failed',
      'stopped',
    ]),
    detail: z.string().nullable(),
    tookMs: z.number().nullable(),
  }),
  z.object({ kind: z.literal('tools-activated'), names: z.array(z.string()) }),
  z.object({
    kind: z.literal('usage-recorded'),
    modelId: z.string(),
    inputTokens: z.number(),
    cachedTokens: z.number(),
    outputTokens: z.number(),
  }),
  /** The provider refused the request for the sake of one block; people may leave it out and go on. */
  z.object({ kind: z.literal('request-rejected'), step: z.number().int(), reason: z.string(), block }),
  z.object({ kind: z.literal('block-dropped'), block, by: z.string() }),
  z.object({
    kind: z.literal('compacted'),
    reason: z.string(),
    droppedItems: z.number().int(),
    /** Activated tools that stay, in their order; absent where all do. */
    activeTools: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal('turn-finished'),
    turnId: id,
    status: z.enum(['completed', 'stopped', 'failed', 'halted']),
    reason: z.string().nullable(),
  }),
]);

export type SessionEvent = z.infer<typeof sessionEventSchema>;
export type SessionEventKind = SessionEvent['kind'];
/** An event with its place in the session's log; `seq` is dense from 1, `at` is milliseconds since 1970. */
export type StoredEvent = { sessionId: string; seq: number; at: number; event: SessionEvent };
