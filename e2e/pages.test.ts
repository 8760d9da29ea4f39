import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { enter } from './account.ts';
import { expect, test } from './product.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; impact: string; nodes: { html: string }[] };

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('every page passes the accessibility rules that matter', async ({ page, product }) => {
      await enter(page, product);
      for (const path of [
        '/',
        '/approvals',
        '/tools',
        '/settings/models',
        '/settings/system',
        new URL(page.url()).pathname,
      ]) {
        await page.goto(path);
        await expect(page.getByRole('main')).toBeVisible();
        const found = await serious(page);
        expect(found, `${path} in ${colorScheme}`).toEqual([]);
      }
    });
  });
}

test('pages fit a phone without scrolling sideways', async ({ page, product }) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await enter(page, product);
  for (const path of ['/', '/approvals', '/tools', '/settings/models', new URL(page.url()).pathname]) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider, path).toBeLessThanOrEqual(0);
  }
});

async function serious(page: import('@playwright/test').Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations: Violation[] = await page.evaluate(async () => {
    const run = Reflect.get(window, 'axe').run;
    return (await run(document, { resultTypes: ['violations'] })).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
