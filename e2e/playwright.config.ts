import { defineConfig } from '@playwright/test';
import { has } from '../scripts/has.ts';
import type { ProductOptions } from './product.ts';

const engines = has('docker') ? (['simulated', 'docker'] as const) : (['simulated'] as const);

// The browser is Debian's; nothing is downloaded, and none of its own services may talk to anybody.
const launchOptions = {
  executablePath: process.env.ONESLOT_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
};

export default defineConfig<object, ProductOptions>({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: false,
  // One product and one browser at a time: two of each want more memory and cores than a small machine has.
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    locale: 'en-US',
  },
  projects: engines.map((engine) => ({ name: engine, use: { engine } })),
});
