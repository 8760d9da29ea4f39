import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { progress } from './progress.ts';
import { runCommand } from './run-command.ts';

/** Beside the builds, because it takes seconds that the first start would else wait for at its end. */
export async function makeDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'database');
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  await progress('making the database', async () => {
    // Should it fail, the runner tries the same again and says what is wrong with the folder.
    await runCommand(process.execPath, ['--liftoff-only', 'prisma/make-database.ts', folder]);
  });
}
