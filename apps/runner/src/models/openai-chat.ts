import type { Clock, Dialect, ModelClient, ModelDelta, ModelRequest } from '@oneslot/core';
import OpenAI from 'openai';
import { createChunkReader, type LooseChunk } from './chat-deltas.ts';
import { messageBytes, messageOwners, toolBytes } from './chat-messages.ts';
import type { Fetch } from './keep-alive-fetch.ts';
import { locateRejection } from './locate-rejection.ts';
import { retryStream } from './retry-stream.ts';

export type OpenAiOptions = {
  /** Our id of the model, shown and stored. */
  id: string;
  /** The provider's name of it. */
  model: string;
  baseUrl: string;
  apiKey: string | null;
  /** What tools are told in. */
  dialect: Dialect;
};
export type OpenAiDeps = { clock: Clock; fetch: Fetch };

/** Chat Completions: OpenAI, DeepSeek, vLLM, Ollama, llama.cpp, OpenRouter and whoever speaks like them. */
export function createOpenAiChat(options: OpenAiOptions, deps: OpenAiDeps): ModelClient {
  const client = createOpenAiClient(options, deps);
  return {
    id: options.id,
    dialect: options.dialect,
    stream: (request, signal) =>
      retryStream(() => streamOnce(client, options, { request, signal }), {
        modelId: options.id,
        clock: deps.clock,
        signal,
        locate: (error) => locateRejection(error, request, () => messageOwners(request)),
      }),
  };
}

export function createOpenAiClient(options: OpenAiOptions, deps: OpenAiDeps): OpenAI {
  return new OpenAI({
    // Local servers want no key, but the library refuses an empty one.
    apiKey: options.apiKey ?? 'none',
    organization: null,
    project: null,
    baseURL: options.baseUrl,
    // Retries are ours: only before the first delta, and faster.
    maxRetries: 0,
    fetch: deps.fetch,
  });
}

type Once = { request: ModelRequest; signal: AbortSignal };

async function* streamOnce(client: OpenAI, options: OpenAiOptions, once: Once): AsyncGenerator<ModelDelta> {
  const read = createChunkReader();
  // The library's own way writes the whole body anew with a replacer, which costs more with every step.
  const stream = await client.post<AsyncIterable<LooseChunk>>('/chat/completions', {
    body: chatBody(options, once.request),
    headers: { 'content-type': 'application/json' },
    stream: true,
    signal: once.signal,
  });
  let usage: ModelDelta | null = null;
  let finish: ModelDelta | null = null;
  for await (const chunk of stream) {
    for (const delta of read(chunk)) {
      // Usage may come before, with or after the finish reason, and some servers count in every chunk: the last one holds.
      if (delta.kind === 'usage') usage = delta;
      else if (delta.kind === 'finish') finish = delta;
      else yield delta;
    }
  }
  if (usage) yield usage;
  if (finish) yield finish;
}

/** Key order is the order of the bytes sent: the stable prefix (tools, system) stands before what grows. */
export function chatBody({ model, dialect }: Pick<OpenAiOptions, 'model' | 'dialect'>, request: ModelRequest): Buffer {
  const head = `{"model":${JSON.stringify(model)},"stream":true,"stream_options":{"include_usage":true},`;
  const definitions = separated(request.tools.map((tool) => toolBytes(tool, dialect)));
  const tools = definitions.length === 0 ? [] : ['"tools":[', ...definitions, '],'];
  const parts = [head, ...tools, '"messages":[', ...separated(messageBytes(request)), ']}'];
  // Bytes, not text: half a megabyte would otherwise be checked, flattened and encoded again in every step.
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function separated(items: readonly Buffer[]): (Buffer | string)[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [',', item]));
}
