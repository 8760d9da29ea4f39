import type { ModelDelta } from '@oneslot/core';

/** A stream event of the Responses API; compatible servers leave fields out. */
export type LooseEvent = {
  type: string;
  delta?: string;
  output_index?: number;
  message?: string;
  item?: { type?: string; call_id?: string; name?: string; arguments?: string };
  response?: {
    error?: { message?: string } | null;
    incomplete_details?: { reason?: string } | null;
    usage?: LooseUsage | null;
  };
};
type LooseUsage = {
  input_tokens?: number;
  output_tokens?: number;
  input_tokens_details?: { cached_tokens?: number } | null;
};

/** Reads the events of one answer; its state is which blocks are calls and how much of their arguments came in pieces. */
export function createEventReader() {
  const streamed = new Set<number>();
  const calls = new Set<number>();

  function* endCall(index: number, item: LooseEvent['item']): Generator<ModelDelta> {
    if (item?.type !== 'function_call' && !calls.has(index)) return;
    // A server may leave the beginning out and send the call with its end alone.
    if (!calls.has(index)) yield { kind: 'call', index, callId: item?.call_id ?? '', name: item?.name ?? '' };
    const whole = item?.arguments;
    // A server that sends no argument pieces sends them whole with the end.
    if (!streamed.has(index) && whole) yield { kind: 'call', index, argumentsText: whole };
    yield { kind: 'call-end', index };
    calls.delete(index);
  }

  return function* read(event: LooseEvent): Generator<ModelDelta> {
    const index = event.output_index ?? 0;
    const delta = event.delta ?? '';
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        if (delta !== '') yield { kind: 'text', text: delta };
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        if (delta !== '') yield { kind: 'reasoning', text: delta };
        return;
      case 'response.output_item.added':
        if (event.item?.type !== 'function_call') return;
        calls.add(index);
        yield { kind: 'call', index, callId: event.item.call_id ?? '', name: event.item.name ?? '' };
        return;
      case 'response.function_call_arguments.delta':
        streamed.add(index);
        if (delta !== '') yield { kind: 'call', index, argumentsText: delta };
        return;
      case 'response.output_item.done':
        yield* endCall(index, event.item);
        return;
      case 'response.completed':
      case 'response.incomplete':
        yield* finish(event);
    }
  };
}

function* finish(event: LooseEvent): Generator<ModelDelta> {
  const usage = event.response?.usage;
  if (usage) {
    yield {
      kind: 'usage',
      inputTokens: usage.input_tokens ?? 0,
      cachedTokens: usage.input_tokens_details?.cached_tokens ?? 0,
      outputTokens: usage.output_tokens ?? 0,
    };
  }
  yield { kind: 'finish', reason: finishReason(event) };
}

function finishReason(event: LooseEvent): Extract<ModelDelta, { kind: 'finish' }>['reason'] {
  if (event.type === 'response.completed') return 'stop';
  return event.response?.incomplete_details?.reason === 'content_filter' ? 'filtered' : 'length';
}
