import { expect, test } from './product.ts';

test('answers its health checks', async ({ request }) => {
  for (const path of ['/healthz', '/readyz']) expect((await request.get(path)).status(), path).toBe(200);
});

test('prints a setup link that opens the form for the first owner', async ({ page, product }) => {
  expect(product.setupLink).toMatch(/\/setup\?token=\S{16,}/);
  await page.goto(product.setupLink);
  for (const label of ['Organization', 'Your name', 'E-mail', 'Password']) {
    await expect(page.getByLabel(label)).toBeVisible();
  }
});

test('shows nothing to a stranger', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/(sign-in|setup)/);
});
