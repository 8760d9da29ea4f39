import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// Builds one migrated database folder that each suite copies instead of making its own (a second instead of seven).
const databaseTemplate = './apps/runner/test/database-template.ts';

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'apps/**/*.test.{ts,tsx}',
      'prisma/**/*.test.ts',
      'scripts/**/*.test.ts',
      'docker/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/.next/**', '**/dist/**', '**/generated/**'],
    globalSetup: existsSync(databaseTemplate) ? [databaseTemplate] : [],
    // An embedded database and its copy weigh half a gigabyte each.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
