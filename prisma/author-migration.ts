import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { readMigrations } from './apply-migrations.ts';

// `node author-migration.ts <name>` writes what is missing between the migrations folder and the schema;
// `node author-migration.ts --check` fails when anything is missing. Needs no network and no database server.

const schemaFile = fileURLToPath(new URL('./schema.prisma', import.meta.url));
const folder = fileURLToPath(new URL('./migrations', import.meta.url));
const lockText = '# Do not edit: written together with the migrations.\nprovider = "postgresql"\n';

async function missingSql(): Promise<string | null> {
  const schema = readFileSync(schemaFile, 'utf8');
  const engine = await openEngine(schema);
  mkdirSync(folder, { recursive: true });
  const known = readMigrations(folder);
  const result = await engine.diff({
    from: known.length === 0 ? { tag: 'empty' } : { tag: 'migrations', ...migrationList(known) },
    to: { tag: 'schemaDatamodel', files: [{ path: schemaFile, content: schema }] },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  return result.exitCode === 2 ? (result.stdout ?? '') : null;
}

function migrationList(known: readonly { name: string; sql: string }[]) {
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: lockText },
    shadowDbInitScript: '',
    migrationDirectories: known.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
}

/** The engine is WASM and made for Prisma's own tools; an in-memory database is its shadow. */
async function openEngine(schema: string) {
  const wasm = readFileSync(
    fileURLToPath(import.meta.resolve('@prisma/schema-engine-wasm').replace(/[^/]+$/, 'schema_engine_bg.wasm')),
  );
  const { instance } = await WebAssembly.instantiate(wasm, {
    './schema_engine_bg.js': glue as unknown as WebAssembly.ModuleImports,
  });
  const raw = glue as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void };
  raw.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === 'function') start();
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(new PGlite()));
  return glue.SchemaEngine.new({ datamodels: [[schemaFile, schema]] }, () => {}, adapter);
}

const argument = process.argv[2];
const sql = await missingSql();
if (argument === '--check') {
  if (sql !== null) {
    console.error(`Schema and migrations differ. Write the missing one: pnpm migration <name>\n\n${sql}`);
    process.exit(1);
  }
  console.log('Schema and migrations agree.');
} else if (!argument || !/^[a-z][a-z0-9_]*$/.test(argument)) {
  console.error('Usage: author-migration.ts <name_in_snake_case> | --check');
  process.exit(1);
} else if (sql === null) {
  console.log('Nothing to do: schema and migrations agree.');
} else {
  const stamp = new Date().toISOString().replace(/[-:T]/g, '').slice(0, 14);
  mkdirSync(`${folder}/${stamp}_${argument}`, { recursive: true });
  writeFileSync(`${folder}/${stamp}_${argument}/migration.sql`, sql);
  writeFileSync(`${folder}/migration_lock.toml`, lockText);
  console.log(`Wrote migrations/${stamp}_${argument}/migration.sql`);
}
process.exit(0);
