import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', '**/.next/**', '**/dist/**', '**/generated/**'];
// They end what hangs; no test is about time. A machine whose cores are taken needs several times a quiet one's.
const limits = { testTimeout: 60_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    // An embedded database and its copy weigh half a gigabyte each.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'pure',
          include: [
            'packages/**/*.test.ts',
            'apps/web/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'docker/**/*.test.ts',
          ],
          exclude,
          ...limits,
        },
      },
      {
        test: {
          name: 'data',
          include: ['apps/runner/**/*.test.ts', 'prisma/**/*.test.ts'],
          exclude,
          // Builds one migrated database folder that each suite copies instead of making its own.
          globalSetup: ['./apps/runner/test/database-template.ts'],
          ...limits,
        },
      },
    ],
  },
});
