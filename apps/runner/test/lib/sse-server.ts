import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type SseServer = {
  url: string;
  requests: { body: string; path: string; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
};
type Answer = (response: ServerResponse, count: number) => void | Promise<void>;

/** A provider that answers exactly what a test says; requests are kept as the bytes they were. */
export async function startSseServer(answer: Answer): Promise<SseServer> {
  const requests: SseServer['requests'] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    requests.push({ body: Buffer.concat(parts).toString(), path: request.url ?? '', headers: request.headers });
    await answer(response, requests.length);
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

/** Writes the items as one event stream; strings are sent as they are. */
export function sendEvents(response: ServerResponse, events: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  response.end();
}
