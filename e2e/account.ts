import { expect, type Page, request } from '@playwright/test';

type Place = { url: string; setupLink: string };

export const owner = {
  organization: 'Harbor',
  name: 'Ada Owner',
  email: 'ada@example.invalid',
  password: 'correct horse battery',
};

/** The first run as a person does it: the printed link, one form, and straight into a first session. */
export async function setUp(page: Page, product: Place): Promise<void> {
  await page.goto(product.setupLink);
  await page.getByLabel('Organization').fill(owner.organization);
  await page.getByLabel('Your name').fill(owner.name);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Create and open the first session' }).click();
  await expect(page).toHaveURL(/\/s\/[\w-]+/);
}

export async function signIn(page: Page, product: Place): Promise<void> {
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

/** Whatever state the product is in: sets it up where nobody owns it yet, else signs in. */
export async function enter(page: Page, product: Place): Promise<void> {
  const answer = await page.request.get(`${product.url}/api/trpc/setup.status`);
  const { result } = await answer.json();
  if (result.data.json.needed) await setUp(page, product);
  else await signIn(page, product);
}

/** Removes every session and with it its container and volume; does nothing where nobody set the product up. */
export async function removeSessions(url: string): Promise<void> {
  const api = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
  const { email, password } = owner;
  const signedIn = await api.post('/api/auth/sign-in/email', { data: { email, password } });
  if (signedIn.ok()) {
    const me = await (await api.get('/api/trpc/me')).json();
    const headers = { 'x-csrf-token': me.result.data.json.csrfToken };
    const input = encodeURIComponent(JSON.stringify({ json: {} }));
    const { result } = await (await api.get(`/api/trpc/sessions.list?input=${input}`)).json();
    for (const { id } of result.data.json.items) {
      await api.post('/api/trpc/sessions.remove', { headers, data: { json: { sessionId: id } } });
    }
  }
  await api.dispose();
}
