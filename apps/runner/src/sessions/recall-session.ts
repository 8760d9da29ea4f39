import type { Seen, SessionEvent, StoredEvent, ToolResult } from '@oneslot/core';
import { z } from 'zod';
import { joinSeen, workspaceKey } from '../ports/workspace-files.ts';
import { type SpilledTexts, wholeText } from './build-transcript.ts';

type StoredResult = Extract<SessionEvent, { kind: 'call-finished' }>['result'];

/** What a session remembers, rebuilt from its log alone, so that any runner that takes the lease knows the same. */
export type SessionMemory = {
  /** Freshness of files: what the model last saw of each. */
  seen: Map<string, Seen>;
  /** Processes the session's agent started. */
  ownedProcesses: Set<string>;
  /** Processes whose end a call saw, and with it stored what they printed. */
  endedProcesses: Set<string>;
  /** Folder the last command ended in, workspace-relative. */
  directory: string;
  /** Activated tools in activation order. */
  activeTools: string[];
  /** Messages that are already part of the conversation. */
  addedMessages: Set<string>;
  /** Approvals and questions people were already told of. */
  announced: Set<string>;
  /** Stored results of calls of completed steps: a re-delivered id returns its result instead of running again. */
  finished: Map<string, ToolResult>;
  /** Hash over the prefix of the last request. */
  prefix: string | null;
  /** Who was asked last; null before the first request. */
  requestModel: string | null;
  /** The turn that started and did not end. */
  openTurn: { turnId: string; modelId: string } | null;
};

const lines = z.number().int();
/** What the data of a built-in tool may say that the session remembers. */
const rememberedData = z.object({
  seen: z
    .array(z.object({ path: z.string(), sha256: z.string(), from: lines, to: lines, totalLines: lines }))
    .catch([]),
  process_id: z.string().nullable().catch(null),
  end_seen: z.boolean().catch(false),
  cwd: z.string().nullable().catch(null),
});

export function emptyMemory(): SessionMemory {
  return {
    seen: new Map(),
    ownedProcesses: new Set(),
    endedProcesses: new Set(),
    directory: '',
    activeTools: [],
    addedMessages: new Set(),
    announced: new Set(),
    finished: new Map(),
    prefix: null,
    requestModel: null,
    openTurn: null,
  };
}

/** `isBuiltin`: tools of other origin say anything they like, so what their results claim is not remembered. */
export function recallSession(
  events: readonly StoredEvent[],
  isBuiltin: (tool: string) => boolean,
  texts: SpilledTexts = new Map(),
): SessionMemory {
  const memory = emptyMemory();
  // Results written before their step belong to a stream that was thrown away.
  const made = new Set<string>();
  const trusted = new Set<string>();
  for (const { event } of events) {
    if (event.kind === 'step-completed') for (const call of event.calls) made.add(call.callId);
    else if (event.kind === 'message-added') memory.addedMessages.add(event.messageId);
    else if (event.kind === 'call-planned' && event.tool !== null && isBuiltin(event.tool)) trusted.add(event.callId);
    else if (event.kind === 'tools-activated') memory.activeTools.push(...event.names);
    else if (event.kind === 'approval-required') memory.announced.add(event.approvalId);
    else if (event.kind === 'question-asked') memory.announced.add(event.callId);
    else if (event.kind === 'step-started') {
      memory.prefix = event.prefixHash;
      memory.requestModel = event.modelId ?? memory.openTurn?.modelId ?? null;
    } else if (event.kind === 'compacted') {
      // A compaction is announced and begins a new prefix.
      memory.prefix = null;
      memory.activeTools = event.activeTools ?? memory.activeTools;
    } else if (event.kind === 'turn-started') memory.openTurn = { turnId: event.turnId, modelId: event.modelId };
    else if (event.kind === 'turn-finished') memory.openTurn = null;
    else if (event.kind === 'call-finished') {
      if (trusted.has(event.callId)) rememberData(memory, event.result.data);
      if (made.has(event.callId) && !memory.finished.has(event.callId)) {
        memory.finished.set(event.callId, wholeResult(event.result, texts));
      }
    }
  }
  return memory;
}

function wholeResult(stored: StoredResult, texts: SpilledTexts): ToolResult {
  const { contentRef, content, ...result } = stored;
  return { ...result, content: wholeText(content, contentRef, texts) } as ToolResult;
}

function rememberData(memory: SessionMemory, data: unknown): void {
  const parsed = rememberedData.safeParse(data);
  if (!parsed.success) return;
  for (const { path, ...seen } of parsed.data.seen) {
    const key = workspaceKey(path);
    memory.seen.set(key, joinSeen(memory.seen.get(key), seen));
  }
  if (parsed.data.process_id !== null) memory.ownedProcesses.add(parsed.data.process_id);
  if (parsed.data.process_id !== null && parsed.data.end_seen) memory.endedProcesses.add(parsed.data.process_id);
  if (parsed.data.cwd !== null) memory.directory = workspaceKey(parsed.data.cwd);
}
