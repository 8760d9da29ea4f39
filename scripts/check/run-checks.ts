import { existsSync, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { inRoot, root } from '../bootstrap/paths.ts';
import { type CommandEnd, runCommand } from '../bootstrap/run-command.ts';

type Check = { name: string; args: readonly string[] };

const typescript = 'node_modules/typescript/lib/tsc.js';

/** One compiler run per tsconfig.json; its memory of the last run makes the next one cheap. */
function typeChecks(): Check[] {
  const configs = globSync(['{apps,packages}/*/tsconfig.json', '{prisma,scripts,e2e,bench}/tsconfig.json'], {
    cwd: root,
  }).sort();
  return configs.map((config) => {
    const name = basename(dirname(config));
    return {
      name: `types ${dirname(config)}`,
      args: [typescript, '-p', config, '--incremental', '--tsBuildInfoFile', `.cache/tsc/${name}.tsbuildinfo`],
    };
  });
}

function allChecks(): Check[] {
  return [
    { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
    { name: 'layers', args: ['scripts/check-layers.ts'] },
    { name: 'shape', args: ['scripts/check-shape.ts'] },
    ...typeChecks(),
    { name: 'migrations', args: ['prisma/author-migration.ts', '--check'] },
    {
      name: 'unit tests',
      args: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', '--silent', 'packages', 'scripts'],
    },
  ];
}

/** Runs every check (or those whose name holds one of the given words) and says at the end which failed. */
export async function runChecks(words: readonly string[]): Promise<number> {
  const checks = allChecks().filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const failed: string[] = [];
  for (const check of checks) {
    const started = performance.now();
    const end = await runCheck(check);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${end.code === 0 ? '✓' : '✗'} ${check.name} (${seconds} s)`);
    if (end.code === 0) continue;
    failed.push(check.name);
    console.log(end.output.trimEnd());
  }
  console.log(failed.length === 0 ? '✓ all checks passed' : `✗ failed: ${failed.join(', ')}`);
  return failed.length === 0 && checks.length > 0 ? 0 : 1;
}

async function runCheck(check: Check): Promise<CommandEnd> {
  const [script = ''] = check.args;
  if (!existsSync(inRoot(script))) return { code: 1, output: `${script} does not exist` };
  // The probes of the test script are not made here: suites that need a facility are left out.
  return runCommand(process.execPath, check.args, {
    env: { ONESLOT_HAS: '', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  });
}
