import { existsSync } from 'node:fs';
import { inRoot } from './paths.ts';
import { progress } from './progress.ts';
import { lastLines, runCommand } from './run-command.ts';
import { SetupError } from './setup-error.ts';
import { hashInputs, isStamped, removeStamp, writeStamp } from './stamp.ts';

/** Writes the database client of the schema into prisma/generated. */
export async function generate(): Promise<void> {
  if (!existsSync(inRoot('prisma/schema.prisma'))) return;
  const hash = hashInputs([
    inRoot('prisma/schema.prisma'),
    inRoot('prisma/prisma.config.ts'),
    inRoot('prisma/package.json'),
  ]);
  if (isStamped('generate', hash) && existsSync(inRoot('prisma/generated'))) return;
  removeStamp('generate');
  await progress('generating the database client', async () => {
    const end = await runCommand(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
      cwd: inRoot('prisma'),
      // `generate` never starts the engine, but would download it first unless any file stands in for it.
      env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    });
    if (end.code === 0) return;
    console.error(lastLines(end.output));
    throw new SetupError(
      'The database client could not be generated; the reason is above.',
      'If prisma/schema.prisma was changed, mend it; else delete node_modules and run the command again.',
    );
  });
  writeStamp('generate', hash);
}
