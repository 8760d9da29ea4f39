import type { Page } from '@playwright/test';
import { expect, type Product } from './product.ts';

export const owner = {
  organization: 'Harbor',
  name: 'Ada Owner',
  email: 'ada@example.invalid',
  password: 'correct horse battery',
};

/** The first run as a person does it: the printed link, one form, and straight into a first session. */
export async function setUp(page: Page, product: Product): Promise<void> {
  await page.goto(product.setupLink);
  await page.getByLabel('Organization').fill(owner.organization);
  await page.getByLabel('Your name').fill(owner.name);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Create and open the first session' }).click();
  await expect(page).toHaveURL(/\/s\/[\w-]+/);
}

export async function signIn(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

/** Whatever state the product is in: sets it up where nobody owns it yet, else signs in. */
export async function enter(page: Page, product: Product): Promise<void> {
  const answer = await page.request.get(`${product.url}/api/trpc/setup.status`);
  const { result } = await answer.json();
  if (result.data.json.needed) await setUp(page, product);
  else await signIn(page, product);
}
