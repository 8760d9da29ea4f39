import type { ModelDelta, ModelRequest } from '@oneslot/core';
import { afterAll, expect, test } from 'vitest';
import { makeScript, oneslotAdapter, startScriptedModel } from '../../test/lib/scripted-server.ts';
import { startSseServer } from '../../test/lib/sse-server.ts';
import { createKeepAliveFetch } from './keep-alive-fetch.ts';
import { createOpenAiResponses, responsesBody } from './openai-responses.ts';

const keepAlive = createKeepAliveFetch();
afterAll(() => keepAlive.close());
const clock = { now: () => 0, sleep: async () => {} };
const request: ModelRequest = { system: 's', tools: [], transcript: [{ kind: 'user', text: 'hi' }] };

async function collect(url: string): Promise<ModelDelta[]> {
  const options = { id: 'm', model: 'gpt', baseUrl: url, apiKey: null, dialect: 'openai' as const };
  const model = createOpenAiResponses(options, { clock, fetch: keepAlive.fetch });
  const deltas: ModelDelta[] = [];
  for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
  return deltas;
}

test('the scripted server: text, a call in pieces with its end, usage, finish', async () => {
  const model = await startScriptedModel();
  model.load('a', { ...(await makeScript('probe', '/workspace')), adapter: oneslotAdapter });
  // The server advances its script only for requests that offer tools, so this one plays its side answer.
  const deltas = await collect(model.url('a'));
  await model.close();
  expect(deltas.some((d) => d.kind === 'text')).toBe(true);
  expect(deltas.at(-1)).toEqual({ kind: 'finish', reason: 'stop' });
});

test('reads calls, ends and a cut answer', async () => {
  const events = [
    { type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', call_id: 'c1', name: 'a' } },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{}' },
    { type: 'response.output_item.done', output_index: 1, item: { type: 'function_call', arguments: '{}' } },
    { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
  ];
  const server = await startSseServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  const deltas = await collect(server.url);
  await server.close();
  expect(deltas).toEqual([
    { kind: 'call', index: 1, callId: 'c1', name: 'a' },
    { kind: 'call', index: 1, argumentsText: '{}' },
    { kind: 'call-end', index: 1 },
    { kind: 'finish', reason: 'length' },
  ]);
});

test('the body holds what never changes first, and calls beside their outputs', () => {
  const calls = [{ callId: 'c', name: 'a', argumentsText: '{}' }];
  const body = responsesBody(
    { model: 'gpt', dialect: 'openai' },
    {
      ...request,
      transcript: [
        { kind: 'user', text: 'hi' },
        { kind: 'assistant', text: 'ok', reasoning: '', calls },
        { kind: 'result', callId: 'c', content: 'r', parts: [] },
      ],
    },
  );
  expect(Object.keys(body)).toEqual(['model', 'stream', 'store', 'instructions', 'input']);
  expect(body.input).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'ok' },
    { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'r' },
  ]);
});
