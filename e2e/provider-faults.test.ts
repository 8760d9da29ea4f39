import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { enter } from './account.ts';
import { expect, test } from './product.ts';

const chunk = (delta: object, finish: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const call = { index: 0, id: 'c1', type: 'function', function: { name: 'list-dir', arguments: '{"path":".",}' } };

/** A provider that makes one damaged call, refuses its result, and goes on once that is gone. */
async function startProvider(): Promise<Server> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests += 1;
      if (requests === 2) {
        const error = { message: 'messages[3]: content is not allowed' };
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const answer = requests === 1 ? chunk({ tool_calls: [call] }, 'tool_calls') : chunk({ content: 'Done.' }, 'stop');
      response.end(`${answer}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

test('a refused part is left out by one click, and the figures of the model show what was mended', async ({
  page,
  product,
}) => {
  const provider = await startProvider();
  const { port } = provider.address() as AddressInfo;
  try {
    await enter(page, product);
    await page.goto('/settings/models');
    const figures = page.getByRole('region', { name: 'How models call tools' });
    await expect(figures).toBeVisible();
    await expect(figures).not.toContainText('Stubborn');
    const me = await (await page.request.get(`${product.url}/api/trpc/me`)).json();
    const headers = { origin: product.url, 'x-csrf-token': me.result.data.json.csrfToken };
    const post = async (path: string, json: object) =>
      (await (await page.request.post(`${product.url}/api/trpc/${path}`, { headers, data: { json } })).json()).result
        .data.json;
    const row = { name: 'Stubborn', baseUrl: `http://127.0.0.1:${port}/v1`, models: ['stub'], dialect: 'openai-chat' };
    await post('models.addProvider', row);
    const models = await (await page.request.get(`${product.url}/api/trpc/models.list`)).json();
    const model = models.result.data.json.find(({ name }: { name: string }) => name === 'stub');
    const { id } = await post('sessions.create', { mode: 'autopilot', modelId: model.id });
    await page.goto(`/s/${id}`);
    await page.getByLabel('Message', { exact: true }).fill('Look around.');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    const transcript = page.getByRole('region', { name: 'Transcript' });
    await expect(transcript).toContainText('The model provider refused the result of call c1.');
    await transcript.getByRole('button', { name: 'Leave it out and go on' }).click();
    await expect(transcript).toContainText('It is left out of what the model reads; here it stays.');
    await expect(transcript).toContainText('Done.');
    await page.getByRole('tab', { name: 'Details' }).click();
    await expect(page.getByText('Turn 1: 2 requests')).toBeVisible();
    await expect(page.getByText('Prefix only grew').first()).toBeVisible();
    await page.goto('/settings/models');
    await expect(figures).toContainText('stub · Stubborn');
    await expect(figures).toContainText('trailing_commas 1');
  } finally {
    provider.close();
    provider.closeAllConnections();
  }
});
