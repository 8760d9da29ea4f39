import type { Clock, ModelClient, ModelDelta, ModelRequest, ToolMetadata, TranscriptItem } from '@oneslot/core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { makeScript, oneslotAdapter, startScriptedModel } from '../../test/lib/scripted-server.ts';
import { type SseServer, sendEvents, startSseServer } from '../../test/lib/sse-server.ts';
import { messageBytes } from './chat-messages.ts';
import { createKeepAliveFetch } from './keep-alive-fetch.ts';
import { createOpenAiChat } from './openai-chat.ts';

const slept: number[] = [];
const clock: Clock = { now: () => 0, sleep: async (ms) => void slept.push(ms) };
const keepAlive = createKeepAliveFetch();
const servers: SseServer[] = [];
afterEach(async () => {
  slept.length = 0;
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(() => keepAlive.close());

const tool: ToolMetadata = {
  name: 'read_file',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: {} },
  load: 'resident',
  source: 'builtin',
  family: 'files',
  baseLevel: 'auto',
};
const request = (transcript: TranscriptItem[] = [{ kind: 'user', text: 'hi' }]): ModelRequest => ({
  system: 'be brief',
  tools: [tool],
  transcript,
});
const client = (url: string) =>
  createOpenAiChat(
    { id: 'm', model: 'gpt', baseUrl: url, apiKey: 'k', dialect: 'openai' },
    { clock, fetch: keepAlive.fetch },
  );
async function serve(answer: Parameters<typeof startSseServer>[0]) {
  const server = await startSseServer(answer);
  servers.push(server);
  return server;
}
async function collect(model: ModelClient, what = request(), signal = new AbortController().signal) {
  const deltas: ModelDelta[] = [];
  for await (const delta of model.stream(what, signal)) deltas.push(delta);
  return deltas;
}
const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});

describe('request', () => {
  test('sends model and tools before messages, and usage is asked for', async () => {
    const server = await serve((response) => sendEvents(response, [chunk({ content: 'ok' }, 'stop'), '[DONE]']));
    await collect(client(server.url));
    const body = JSON.parse(server.requests[0]?.body ?? '{}');
    expect(Object.keys(body)).toEqual(['model', 'stream', 'stream_options', 'tools', 'messages']);
    expect(body.stream_options).toEqual({ include_usage: true });
    expect(body.messages[0]).toEqual({ role: 'system', content: 'be brief' });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k');
  });

  test('images follow the results of their step', () => {
    const part = { kind: 'image' as const, mediaType: 'image/png', base64: 'AA==' };
    const messages = messageBytes(
      request([
        { kind: 'result', callId: 'a', content: 'one', parts: [part] },
        { kind: 'result', callId: 'b', content: 'two', parts: [] },
        { kind: 'user', text: 'next' },
      ]),
    );
    expect(messages.map((bytes) => JSON.parse(bytes.toString()).role)).toEqual([
      'system',
      'tool',
      'tool',
      'user',
      'user',
    ]);
  });
});

describe('stream', () => {
  test('the scripted server: text, one call in pieces, usage, finish', async () => {
    const model = await startScriptedModel();
    model.load('a', { ...(await makeScript('probe', '/workspace')), adapter: oneslotAdapter });
    const deltas = await collect(client(model.url('a')));
    await model.close();
    const calls = deltas.filter((d) => d.kind === 'call');
    expect(calls[0]).toMatchObject({ index: 0, callId: 'call_0_0', name: 'read_file' });
    expect(calls.map((c) => c.argumentsText ?? '').join('')).toBe('{"path":"/workspace/f4k_0.txt"}');
    expect(deltas.at(-1)).toEqual({ kind: 'finish', reason: 'calls' });
    expect(deltas.at(-2)?.kind).toBe('usage');
  });

  const quirks: [string, object[], object[]][] = [
    [
      'no index, no id, arguments as an object',
      [
        chunk({ tool_calls: [{ function: { name: 'a', arguments: { x: 1 } } }] }),
        chunk({ tool_calls: [{ function: { name: 'b', arguments: {} } }] }),
      ],
      [
        { kind: 'call', index: 0, name: 'a', argumentsText: '{"x":1}' },
        { kind: 'call', index: 1, name: 'b', argumentsText: '{}' },
      ],
    ],
    [
      'index 0 for every parallel call',
      [
        chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'a', arguments: '{}' } }] }),
        chunk({ tool_calls: [{ index: 0, id: 'y', function: { name: 'b', arguments: '{}' } }] }),
      ],
      [
        { kind: 'call', index: 0, callId: 'x', name: 'a', argumentsText: '{}' },
        { kind: 'call', index: 1, callId: 'y', name: 'b', argumentsText: '{}' },
      ],
    ],
    [
      'index 0 and no id for every parallel call',
      [
        chunk({ tool_calls: [{ index: 0, id: '', function: { name: 'a', arguments: '{"x":1}' } }] }),
        chunk({ tool_calls: [{ index: 0, id: '', function: { name: 'a', arguments: '{"x":2}' } }] }),
      ],
      [
        { kind: 'call', index: 0, name: 'a', argumentsText: '{"x":1}' },
        { kind: 'call', index: 1, name: 'a', argumentsText: '{"x":2}' },
      ],
    ],
    [
      'the form of before there were several',
      [chunk({ function_call: { name: 'a', arguments: '{"x"' } }), chunk({ function_call: { arguments: ':1}' } })],
      [
        { kind: 'call', index: 0, name: 'a', argumentsText: '{"x"' },
        { kind: 'call', index: 0, argumentsText: ':1}' },
      ],
    ],
    [
      'fragments that interleave, and a first one without arguments',
      [
        chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'a' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'y', function: { name: 'b', arguments: '{' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
        chunk({ tool_calls: [{ index: 1, function: { arguments: '}' } }] }),
      ],
      [
        { kind: 'call', index: 0, callId: 'x', name: 'a' },
        { kind: 'call', index: 1, callId: 'y', name: 'b', argumentsText: '{' },
        { kind: 'call', index: 0, argumentsText: '{}' },
        { kind: 'call', index: 1, argumentsText: '}' },
      ],
    ],
    [
      'id and name repeated with every piece',
      [
        chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'a', arguments: '{' } }] }),
        chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'a', arguments: '}' } }] }),
      ],
      [
        { kind: 'call', index: 0, callId: 'x', name: 'a', argumentsText: '{' },
        { kind: 'call', index: 0, callId: 'x', argumentsText: '}' },
      ],
    ],
    [
      'reasoning under either name',
      [chunk({ reasoning_content: 'a' }), chunk({ reasoning: 'b' })],
      [
        { kind: 'reasoning', text: 'a' },
        { kind: 'reasoning', text: 'b' },
      ],
    ],
    ['content as parts', [chunk({ content: [{ type: 'text', text: 'hi' }] })], [{ kind: 'text', text: 'hi' }]],
  ];
  test.each(quirks)('%s', async (_name, chunks, expected) => {
    const server = await serve((response) => sendEvents(response, [...chunks, chunk({}, 'tool_calls'), '[DONE]']));
    expect(await collect(client(server.url))).toEqual([...expected, { kind: 'finish', reason: 'calls' }]);
  });

  test('a stream that is cut ends without a finish', async () => {
    const server = await serve((response) => sendEvents(response, [chunk({ content: 'half' })]));
    expect(await collect(client(server.url))).toEqual([{ kind: 'text', text: 'half' }]);
  });
});

describe('failures', () => {
  test('a busy server is asked again, the first time within 300 ms', async () => {
    const server = await serve((response, count) => {
      if (count > 1) return sendEvents(response, [chunk({ content: 'ok' }, 'stop'), '[DONE]']);
      response.writeHead(500).end('{"error":{"message":"scripted"}}');
    });
    expect((await collect(client(server.url)))[0]).toEqual({ kind: 'text', text: 'ok' });
    expect(slept).toEqual([200]);
  });

  test('a refusal is final and carries status and at most 300 characters of the body', async () => {
    const server = await serve(
      (response) => void response.writeHead(401).end(JSON.stringify({ error: { message: 'x'.repeat(900) } })),
    );
    const failure = await collect(client(server.url)).catch((error) => error);
    expect(failure.code).toBe('upstream_error');
    expect(failure.message).toContain('answered 401');
    expect(failure.message.length).toBeLessThan(360);
    expect(server.requests).toHaveLength(1);
  });

  test('after the first delta nothing is asked again', async () => {
    const server = await serve((response) =>
      sendEvents(response, [chunk({ content: 'a' }), { error: { message: 'overloaded', code: 503 } }]),
    );
    await expect(collect(client(server.url))).rejects.toMatchObject({ code: 'upstream_error' });
    expect(server.requests).toHaveLength(1);
  });

  test('no server at all names the connection', async () => {
    await expect(collect(client('http://127.0.0.1:1/v1'))).rejects.toThrow(/no connection/);
    expect(slept).toEqual([200, 1_000, 4_000]);
  });

  test('a stopped turn ends quietly', async () => {
    const controller = new AbortController();
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk({ content: 'a' }))}\n\n`);
    });
    const deltas: ModelDelta[] = [];
    for await (const delta of client(server.url).stream(request(), controller.signal)) {
      deltas.push(delta);
      controller.abort();
    }
    expect(deltas).toEqual([{ kind: 'text', text: 'a' }]);
  });
});
