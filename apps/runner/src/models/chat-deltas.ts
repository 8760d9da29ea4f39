import { argumentsText, isWholeArguments, type ModelDelta } from '@oneslot/core';

/** A chunk as servers really send it: every field may be missing, null, or of a neighbouring shape. */
export type LooseChunk = { choices?: LooseChoice[] | null; usage?: LooseUsage | null };
type LooseChoice = { delta?: LooseDelta | null; message?: LooseDelta | null; finish_reason?: string | null };
type LooseDelta = {
  content?: string | { text?: string }[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: LooseCall[] | null;
  /** The form of before there could be several. */
  function_call?: LooseCall['function'];
};
type LooseCall = {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | object | null } | null;
};
type LooseUsage = {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  prompt_cache_hit_tokens?: number;
};

const finishReasons: Record<string, Extract<ModelDelta, { kind: 'finish' }>['reason']> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  tool_calls: 'calls',
  function_call: 'calls',
  tool_use: 'calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'filtered',
};

/** Reads the chunks of one answer; its state is which block a fragment belongs to. */
export function createChunkReader() {
  const blockOfIndex = new Map<number, number>();
  const offeredIds = new Map<number, string>();
  const named = new Set<number>();
  const texts = new Map<number, string>();
  let last = -1;

  /** Servers leave the index out, or send 0 for every call of a parallel answer: a new id always opens a new block. */
  function blockOf(call: LooseCall): number {
    const index = typeof call.index === 'number' ? call.index : null;
    const known = index === null ? (last < 0 ? undefined : last) : blockOfIndex.get(index);
    const sameId = known !== undefined && (!call.id || (offeredIds.get(known) ?? call.id) === call.id);
    const anonymousStart = index === null && !call.id && Boolean(call.function?.name);
    if (known !== undefined && sameId && !anonymousStart && !beginsAnew(known, call)) return known;
    last += 1;
    if (index !== null) blockOfIndex.set(index, last);
    return last;
  }

  /** The same index and no id for several whole calls: only a name with arguments, behind whole ones, tells. */
  function beginsAnew(known: number, call: LooseCall): boolean {
    const starts = Boolean(call.function?.name) && argumentsText(call.function?.arguments) !== '';
    return starts && !call.id && named.has(known) && isWholeArguments(texts.get(known) ?? '');
  }

  function readCall(call: LooseCall): ModelDelta {
    const index = blockOf(call);
    if (call.id) offeredIds.set(index, call.id);
    const delta: Extract<ModelDelta, { kind: 'call' }> = { kind: 'call', index };
    const name = call.function?.name;
    if (name && !named.has(index)) delta.name = name;
    if (name) named.add(index);
    // An id that is missing or was used before gets replaced where the stream is read, for all providers alike.
    if (call.id) delta.callId = call.id;
    const text = argumentsText(call.function?.arguments);
    if (text !== '') delta.argumentsText = text;
    texts.set(index, (texts.get(index) ?? '') + text);
    return delta;
  }

  return function* read(chunk: LooseChunk): Generator<ModelDelta> {
    if (chunk.usage) yield usageOf(chunk.usage);
    const choice = chunk.choices?.[0];
    if (!choice) return;
    const delta = choice.delta ?? choice.message;
    const reasoning = delta?.reasoning_content ?? delta?.reasoning;
    if (reasoning) yield { kind: 'reasoning', text: reasoning };
    const text = textOf(delta?.content);
    if (text !== '') yield { kind: 'text', text };
    for (const call of delta?.tool_calls ?? []) yield readCall(call);
    if (delta?.function_call) yield readCall({ index: 0, function: delta.function_call });
    if (choice.finish_reason) yield { kind: 'finish', reason: finishReasons[choice.finish_reason] ?? 'other' };
  };
}

function textOf(content: LooseDelta['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

function usageOf(usage: LooseUsage): ModelDelta {
  return {
    kind: 'usage',
    inputTokens: usage.prompt_tokens ?? 0,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
  };
}
