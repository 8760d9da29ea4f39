import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { root } from './bootstrap/paths.ts';
import { runCommand } from './bootstrap/run-command.ts';
import { newTool } from './new-tool.ts';

/** What a promise is held against. */
type Spec = { capabilities: Set<string>; parallel: boolean; load: string; timeoutMs: number | null };

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'oneslot-tool-'));
  folders.push(folder);
  return folder;
}

describe('newTool', () => {
  test('writes a tool named after its file, its promise and three vectors', () => {
    const [tool = '', cases = ''] = newTool(emptyFolder(), 'data/count-lines');
    expect(tool).toMatch(/packages\/tools\/src\/data\/count-lines\.ts$/);
    expect(readFileSync(tool, 'utf8')).toContain("name: 'count_lines'");
    expect(JSON.parse(readFileSync(cases, 'utf8'))).toHaveLength(4);
  });

  test('writes a promise that its tool keeps, so that no list elsewhere has to know it', async () => {
    const folder = emptyFolder();
    symlinkSync(join(root, 'packages/tools/node_modules'), join(folder, 'node_modules'));
    const [tool = '', cases = ''] = newTool(folder, 'data/count-lines');
    const { default: spec }: { default: Spec } = await import(tool);
    const { parallel, load, timeoutMs } = spec;
    expect(JSON.parse(readFileSync(cases, 'utf8'))).toContainEqual({
      id: 'promise',
      given: {},
      expected: { capabilities: [...spec.capabilities], parallel, load, timeoutMs },
    });
  });

  test('writes what the linter accepts as it is', async () => {
    const folder = emptyFolder();
    const [tool = ''] = newTool(folder, 'data/count-lines');
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const args = [
      biome,
      'check',
      '--write',
      `--stdin-file-path=${join(root, 'packages/tools/src/data/count-lines.ts')}`,
    ];
    const end = await runCommand(process.execPath, args, { input: readFileSync(tool, 'utf8') });
    expect(end.output).toBe(readFileSync(tool, 'utf8'));
    expect(end.code).toBe(0);
  });

  test.each([
    ['nothing', '', 'names no tool'],
    ['no family', 'count-lines', 'names no tool'],
    ['a family nobody has', 'misc/count-lines', 'no family "misc"'],
    ['a way out', '../evil', 'names no tool|no family'],
    ['a deeper path', 'data/a/b', 'names no tool'],
    ['capitals', 'data/CountLines', 'names no tool'],
  ])('refuses %s', (_what, name, words) => {
    expect(() => newTool(emptyFolder(), name)).toThrow(new RegExp(words));
  });

  test('never overwrites', () => {
    const folder = emptyFolder();
    newTool(folder, 'data/count-lines');
    expect(() => newTool(folder, 'data/count-lines')).toThrow(/exists already/);
  });
});
