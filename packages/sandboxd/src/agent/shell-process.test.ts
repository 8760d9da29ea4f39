import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShells, type ShellProcess } from './shell-process.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'oneslot-test-')));
});
afterAll(() => rmSync(root, { recursive: true }));

function openShells() {
  const pending: { action: () => void } = { action: () => undefined };
  const start = createShells(root, process.env, (action) => {
    pending.action = action;
  });
  return { start, quiet: () => pending.action() };
}

async function textOf(stream: unknown): Promise<string> {
  let text = '';
  for await (const bytes of stream as Readable) text += String(bytes);
  return text;
}

async function endOf({ child }: ShellProcess) {
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err, place] = await Promise.all([child.stdout, child.stderr, child.stdio[3]].map(textOf));
  return { code: await code, out, err, place };
}

describe('shells', () => {
  it.each([
    ['echo out; echo err >&2; exit 3'],
    ['printf \'%s|\' "$0" "$#" "$1" "$@"'],
    ['declare -p REPLY OLDPWD; echo "$SECONDS $PWD $-"'],
    ['ls /proc/self/fd'],
    ['env | grep -v "^ONESLOT_JOB=\\|^_=" | sort'],
    ['cat <<END\n  héllo \\ "wörld" $((1 + 1))\t\nEND\n\n'],
    ['echo \'a\\b\' \\\\ "c"; # a comment'],
    ['if'],
    ['nosuchprogram'],
    // The priority is lowered right after the start, so a command may see its first moments without.
    ['cd / && cat; ulimit -n; sleep 0.5; nice; cat /proc/self/oom_score_adj'],
    ["trap 'echo bye' EXIT; exit 5"],
  ])('that waited do as those that did not: %s', async (command) => {
    const { start, quiet } = openShells();
    quiet();
    const fed = endOf(start({ folder: root, command, env: {}, stdin: false }));
    const direct = endOf(start({ folder: root, command, env: { ONLY: 'direct' }, stdin: false }));
    const { out, ...rest } = await direct;
    expect(await fed).toEqual({ ...rest, out: out?.replace('ONLY=direct\n', '') });
  });

  it('take what is long, has input or variables, or comes too soon', async () => {
    const { start } = openShells();
    const long = `echo ${'x'.repeat(60_000)}`;
    expect((await endOf(start({ folder: root, command: long, env: {}, stdin: false }))).out).toHaveLength(60_001);
    const reading = start({ folder: root, command: 'cat', env: {}, stdin: true });
    reading.child.stdin?.end('input');
    expect((await endOf(reading)).out).toBe('input');
    const naming = start({ folder: root, command: 'echo "$NAME"', env: { NAME: 'a b' }, stdin: false });
    expect((await endOf(naming)).out).toBe('a b\n');
    expect((await endOf(start({ folder: root, command: 'pwd', env: {}, stdin: false }))).out).toBe(`${root}\n`);
  });

  it('tell when the folder is gone', async () => {
    const { start } = openShells();
    expect(await endOf(start({ folder: join(root, 'gone'), command: 'pwd', env: {}, stdin: false }))).toMatchObject({
      code: 125,
      out: '',
      err: 'The folder of the command is gone.\n',
    });
  });

  it('serve one command each', async () => {
    const { start, quiet } = openShells();
    const shells: ShellProcess[] = [];
    for (let round = 0; round < 3; round += 1) {
      quiet();
      const shell = start({ folder: root, command: 'echo $PPID', env: {}, stdin: false });
      expect((await endOf(shell)).out).toBe(`${process.pid}\n`);
      shells.push(shell);
    }
    expect(new Set(shells.map(({ child }) => child.pid)).size).toBe(3);
    expect(new Set(shells.map(({ cookie }) => cookie)).size).toBe(3);
  });
});
