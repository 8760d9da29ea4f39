import type { Page } from '@playwright/test';
import { enter } from './account.ts';
import { expect, type Product, test } from './product.ts';

/** A new session on the Manual model, in which a person makes the calls. */
async function manualSession(page: Page, product: Product, mode: 'ask' | 'agent' | 'autopilot'): Promise<void> {
  await enter(page, product);
  const me = await (await page.request.get(`${product.url}/api/trpc/me`)).json();
  const headers = { origin: product.url, 'x-csrf-token': me.result.data.json.csrfToken };
  const models = await (await page.request.get(`${product.url}/api/trpc/models.list`)).json();
  const manual = models.result.data.json.find(({ kind }: { kind: string }) => kind === 'manual');
  const data = { json: { mode, modelId: manual.id } };
  const made = await (await page.request.post(`${product.url}/api/trpc/sessions.create`, { headers, data })).json();
  await page.goto(`${product.url}/s/${made.result.data.json.id}`);
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByLabel('Message', { exact: true }).press('Enter');
}

test('a denial reaches the model with its reason, and nothing ran', async ({ page, product }) => {
  await manualSession(page, product, 'ask');
  await send(page, '/call write_file {"path":"plan.md","content":"secret plan"}');
  const card = page.getByLabel('Approval request for write_file');
  await expect(card).toContainText('secret plan');
  await card.getByRole('button', { name: 'Deny …' }).click();
  await page.getByLabel('Reason').fill('not in this folder');
  await page.getByRole('button', { name: 'Deny', exact: true }).click();
  const transcript = page.getByRole('region', { name: 'Transcript' });
  await expect(transcript).toContainText('Denied');
  await expect(transcript).toContainText('not in this folder');
  await expect(page.getByText('The workspace is empty')).toBeVisible();
});

test('two keys approve, one never does', async ({ page, product }) => {
  await manualSession(page, product, 'ask');
  await send(page, '/call write_file {"path":"keys.md","content":"by keyboard"}');
  const card = page.getByLabel('Approval request for write_file');
  await card.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: 'Press Enter to approve' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('Approved once');
  await expect(page.getByRole('list', { name: 'Files of the workspace' }).getByText('keys.md')).toBeVisible();
});

test('an edited request runs as the person wrote it', async ({ page, product }) => {
  await manualSession(page, product, 'ask');
  await send(page, '/call write_file {"path":"edited.md","content":"as the model wrote it"}');
  await page.getByRole('button', { name: 'Edit …' }).click();
  await page.getByLabel('Input as JSON').fill('{"path":"edited.md","content":"as the person wrote it"}');
  await page.getByRole('button', { name: 'Approve edited call' }).click();
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('Edited and approved');
  await page.getByRole('list', { name: 'Files of the workspace' }).getByText('edited.md').click();
  await expect(page.getByText('as the person wrote it').last()).toBeVisible();
});

test('stop ends a running command within a second, and a queued message follows', async ({ page, product }) => {
  await manualSession(page, product, 'autopilot');
  await send(page, '/call run_command {"command":"echo begun; sleep 60"}');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('Running', { timeout: 60_000 });
  const clicked = Date.now();
  await stop.click();
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('Stopped', { timeout: 10_000 });
  // A second on its own; the rest is the browser's share on a busy machine.
  expect(Date.now() - clicked).toBeLessThan(5_000);
  await send(page, '/call write_file {"path":"after.md","content":"x"}');
  await expect(page.getByRole('list', { name: 'Files of the workspace' }).getByText('after.md')).toBeVisible();
});

test('signing out leaves nothing to see', async ({ page, product }) => {
  await enter(page, product);
  await page.getByRole('button', { name: /Account and theme/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/sign-in/);
  await page.goto(`${product.url}/tools`);
  await expect(page).toHaveURL(/sign-in/);
});
