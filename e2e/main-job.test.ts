import type { Locator } from '@playwright/test';
import { setUp, signIn } from './account.ts';
import { expect, test, watch } from './product.ts';

test('setup, Tour, approval in a second browser, restart: nothing is lost', async ({
  page,
  product,
  browser,
  problems,
}) => {
  test.setTimeout(300_000);
  const transcript = page.getByRole('region', { name: 'Transcript' });

  await test.step('the printed link leads to a first session', async () => {
    await setUp(page, product);
    await page.getByRole('button', { name: 'Start the Tour' }).click();
    await expect(transcript).toContainText('Welcome to Oneslot');
  });

  const second = await browser.newContext({ locale: 'en-US', baseURL: product.url });
  await watch(second, problems);
  const other = await second.newPage();

  await test.step('a command waits, and a second browser sees exactly what waits', async () => {
    await expect(page.getByLabel('Approval request for run_command')).toContainText(
      'sort tour/notes.md > tour/sorted.md',
      {
        timeout: 90_000,
      },
    );
    await signIn(other, product);
    await other.goto('/approvals');
    await expect(other.getByLabel('Approval request for run_command')).toContainText(
      'sort tour/notes.md > tour/sorted.md',
    );
  });

  await test.step('the answer given there lets the turn here go on to its end', async () => {
    await other.getByRole('button', { name: 'Approve once' }).click();
    await expect(transcript).toContainText('That was the whole route of a call', { timeout: 60_000 });
    await expect(transcript).toContainText('apples, the red ones');
  });

  await test.step('the second browser shows the same transcript', async () => {
    await other.goto(page.url());
    const shown = other.getByRole('region', { name: 'Transcript' });
    await expect(shown).toContainText('That was the whole route of a call');
    // Markdown is dressed a moment after its text is there.
    await expect.poll(async () => (await textOf(shown)) === (await textOf(transcript)), { timeout: 60_000 }).toBe(true);
  });

  await test.step('a restart of the product loses nothing', async () => {
    const [address, before] = [page.url(), await textOf(transcript)];
    // An open page would rightly log that its stream broke.
    await page.goto('about:blank');
    await other.goto('about:blank');
    await product.restart();
    await page.goto(address);
    await expect(transcript).toContainText('That was the whole route of a call');
    await expect.poll(() => textOf(transcript), { timeout: 60_000 }).toBe(before);
  });

  await second.close();
});

/** Text without what depends on width and moment. */
async function textOf(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? '').replaceAll(/\s+/g, ' ').trim();
}
