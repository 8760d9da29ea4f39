import {
  type Dialect,
  type ModelClient,
  type ModelDelta,
  type ModelRequest,
  ToolError,
  type TranscriptItem,
} from '@oneslot/core';
import type OpenAI from 'openai';
import { noteText } from './chat-messages.ts';
import { locateRejection } from './locate-rejection.ts';
import { createOpenAiClient, type OpenAiDeps, type OpenAiOptions } from './openai-chat.ts';
import { createEventReader, type LooseEvent } from './responses-deltas.ts';
import { retryStream } from './retry-stream.ts';
import { toolParameters } from './tool-parameters.ts';

type InputItem = OpenAI.Responses.ResponseInputItem;

/** The Responses API, used statelessly: the transcript is ours and is sent whole, nothing is stored at the provider. */
export function createOpenAiResponses(options: OpenAiOptions, deps: OpenAiDeps): ModelClient {
  const client = createOpenAiClient(options, deps);
  async function* streamOnce(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const read = createEventReader();
    const stream = await client.responses.create(responsesBody(options, request), { signal });
    for await (const event of stream as AsyncIterable<LooseEvent>) {
      if (event.type === 'response.failed' || event.type === 'error') throw failureOf(event, options.id);
      yield* read(event);
    }
  }
  return {
    id: options.id,
    dialect: options.dialect,
    stream: (request, signal) =>
      retryStream(() => streamOnce(request, signal), {
        modelId: options.id,
        clock: deps.clock,
        signal,
        locate: (error) => locateRejection(error, request, () => inputOwners(request)),
      }),
  };
}

function failureOf(event: LooseEvent, modelId: string): ToolError {
  const message = event.response?.error?.message ?? event.message ?? 'no reason given';
  return new ToolError('upstream_error', `The model ${modelId} failed: ${message.slice(0, 300)}`, {
    next: 'Send the message again, or choose another model.',
  });
}

/** Key order is the order of the bytes sent: what never changes stands first. */
export function responsesBody(
  { model, dialect }: Pick<OpenAiOptions, 'model' | 'dialect'>,
  request: ModelRequest,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  return {
    model,
    stream: true,
    store: false,
    instructions: request.system,
    ...(request.tools.length > 0 ? { tools: request.tools.map((tool) => functionTool(tool, dialect)) } : {}),
    input: request.transcript.flatMap(inputItems),
  };
}

function functionTool(tool: ModelRequest['tools'][number], dialect: Dialect): OpenAI.Responses.FunctionTool {
  const { name, description } = tool;
  const { schema, strict } = toolParameters(tool, dialect);
  return { type: 'function', name, description, parameters: schema, strict };
}

/** For each input item that is sent, the item of the transcript it is made of. */
function inputOwners({ transcript }: ModelRequest): number[] {
  return transcript.flatMap((item, index) => inputItems(item).map(() => index));
}

function inputItems(item: TranscriptItem): InputItem[] {
  if (item.kind === 'user') return [{ role: 'user', content: item.text }];
  if (item.kind === 'note') return [{ role: 'user', content: noteText(item.text) }];
  if (item.kind === 'result') return [resultItem(item)];
  const calls: InputItem[] = item.calls.map((call) => ({
    type: 'function_call',
    call_id: call.callId,
    name: call.name,
    arguments: call.argumentsText,
  }));
  return item.text === '' ? calls : [{ role: 'assistant', content: item.text }, ...calls];
}

function resultItem(item: Extract<TranscriptItem, { kind: 'result' }>): InputItem {
  const images = item.parts.map((part) => ({
    type: 'input_image' as const,
    detail: 'auto' as const,
    image_url: `data:${part.mediaType};base64,${part.base64}`,
  }));
  const output = images.length === 0 ? item.content : [{ type: 'input_text' as const, text: item.content }, ...images];
  return { type: 'function_call_output', call_id: item.callId, output };
}
