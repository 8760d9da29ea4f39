import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type Step = { text: string; calls: { name: string; args: object }[] };
export type SteppingModel = {
  url: string;
  requests: { step: number; assistantMessages: number }[];
  close(): Promise<void>;
};
type Message = { role: string };

/**
 * Chat Completions whose answer depends on the request alone: the step is the number of assistant messages in it.
 * A request that is sent again after a crash therefore gets the same answer again, as a real model's would fit.
 */
export async function startSteppingModel(steps: readonly Step[], pauseMs: number): Promise<SteppingModel> {
  const requests: SteppingModel['requests'] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { messages }: { messages: Message[] } = JSON.parse(Buffer.concat(parts).toString());
    const step = messages.filter((message) => message.role === 'assistant').length;
    requests.push({ step, assistantMessages: step });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunksOf(steps[step] ?? { text: 'Done.', calls: [] }, step)) {
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      await sleep(pauseMs);
    }
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function* chunksOf(step: Step, index: number): Generator<object> {
  const chunk = (delta: object, finish: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  for (const word of step.text.match(/\S+\s*/g) ?? []) yield chunk({ content: word });
  for (const [at, call] of step.calls.entries()) {
    const id = `call_${index}_${at}`;
    const text = JSON.stringify(call.args);
    yield chunk({ tool_calls: [{ index: at, id, type: 'function', function: { name: call.name, arguments: '' } }] });
    yield chunk({ tool_calls: [{ index: at, function: { arguments: text.slice(0, text.length / 2) } }] });
    yield chunk({ tool_calls: [{ index: at, function: { arguments: text.slice(text.length / 2) } }] });
  }
  yield {
    ...chunk({}, step.calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  };
}
