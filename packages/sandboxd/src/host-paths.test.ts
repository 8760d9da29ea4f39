import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxClient } from './client.ts';
import { openLocal } from './testing/local-sandbox.ts';
import { type Ran, run } from './testing/run.ts';
import { shop } from './testing/shop.ts';
import { tarOf } from './testing/tar-of.ts';

type Opened = Awaited<ReturnType<typeof openLocal>>;
const lines = { from: 1, maxLines: 10, maxBytes: 1_000 };
const search = { globs: [], context: 0, ignoreCase: false, fixed: false, multiline: false, all: true, offset: 0 };
const poll = { waitMs: 0, until: 'exit' as const, fromStart: true, callerId: 'one' };

/** Every operation on one path, and on what is wrong with the rest of its arguments. */
function operationsOn({ files, archive, commands, git }: SandboxClient, path: string): Promise<unknown>[] {
  return [
    files.stat(path),
    files.read(path),
    files.readLines(path, lines),
    files.list({ path, depth: 20, all: true, limit: 1_000 }),
    files.grep({ ...search, pattern: 'needle|total', path, output: 'files', limit: 100 }),
    files.grep({ ...search, pattern: '(', path, output: 'content', limit: 100 }),
    files.find({ query: 'a', path, extensions: [], kind: 'any', sort: 'score', all: true, limit: 100 }),
    files.nearest(path),
    files.mkdir(`${path}/below/it`),
    files.write(`${path}/f`, Buffer.from('x'), { expectedSha256: null }),
    files.write(path, Buffer.from('x'), { expectedSha256: '0'.repeat(64) }),
    files.move(path, `${path}/itself`),
    files.move(path, '/etc/x'),
    files.remove(path),
    textOf(archive.export(path)),
    git.run(['log', '--', path]),
    git.run(['rev-parse', '--show-toplevel', '--absolute-git-dir']),
    commands.run({ command: 'true', cwd: path, timeoutMs: 5_000, background: false, tty: false }, {}),
    commands.poll({ ...poll, processId: path.slice(0, 60) }),
  ];
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

function words(value: unknown): string {
  if (value instanceof Error) return JSON.stringify({ ...value, message: value.message });
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

describe.each(['agent', 'simulated'] as const)('the host of the %s', (kind) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await openLocal(kind);
    await opened.client.archive.import(tarOf(shop));
    await run(opened, 'mkdir -p links && cd links && ln -s "$PWD" self && ln -s /etc/passwd out && ln -s ../.. up', {
      cwd: '.',
    });
    // As a former version left it.
    symlinkSync(join(opened.folder, 'workspace/etc/passwd'), join(opened.folder, 'workspace/links/former'));
  });
  afterAll(() => opened.close());

  it.each([
    '.',
    'src',
    'notes.txt',
    'nowhere/at/all',
    'notes.txt/below',
    'leak',
    'links',
    'links/self',
    'links/former',
    'links/up',
    'x'.repeat(300),
    '/etc',
    '..',
  ])('is not named by any operation on %s', async (path) => {
    const answers = await Promise.allSettled(operationsOn(opened.client, path));
    for (const one of answers) {
      const text = words(one.status === 'fulfilled' ? one.value : one.reason);
      expect(text).not.toContain(opened.folder);
    }
  });
});

describe('the shell of the simulated sandbox', () => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await openLocal('simulated');
    await opened.client.archive.import(tarOf(shop));
  });
  afterAll(() => opened.close());
  const both = ({ out, err }: Ran) => out + err;

  it.each([
    'pwd; pwd -P; cd -P src; pwd; echo $0 $BASH $PWD $OLDPWD; env; set; export -p; declare -p',
    'ln -s "$PWD/src" in; ln -s /etc/passwd out; ln -s "$PWD" /tmp/back; ls -la . /tmp; readlink in out /tmp/back; readlink -f in out leak',
    'cat leak; cat out; echo x > out; echo x >> leak; cd leak; source leak; head leak; stat leak in; file leak in; find . ; find / -name "*.ts"',
    'cat nowhere; cp nowhere x; mv nowhere x; rm nowhere; mkdir src; mkdir a/b/c; rmdir src; chmod 1 nowhere; touch a/b; ln a b; sed -i s/a/b/ nowhere',
    `cat ${'x'.repeat(300)}; echo > ${'x'.repeat(300)}; mkdir notes.txt/below; cat notes.txt/below; echo > src; cat src`,
    'tar -cf all.tar . ; tar -tvf all.tar; tar -cvf one.tar links leak src; du -a; ls -R /; mount; df; cat /proc/self/environ /proc/mounts /proc/self/maps',
    'eval "("; printf %d x; $(nowhere); [[ -e leak ]]; test -d in; python3 x; node x; git status; sqlite3 x.db .tables; nowhere',
  ])('never names the host: %s', async (command) => {
    expect(both(await run(opened, command, { cwd: '.' }))).not.toContain(opened.folder);
  });

  it('knows no host path as a way in', async () => {
    await expect(opened.client.files.stat(join(opened.folder, 'workspace/notes.txt'))).rejects.toMatchObject({
      code: 'outside_workspace',
    });
  });
});
