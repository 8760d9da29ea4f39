import { describe, expect, it, vi } from 'vitest';
import { run } from './run.ts';
import type { Sandbox } from './sandbox.ts';

/** Whether a process with this mark in its arguments lives. */
async function lives(sandbox: Sandbox, mark: string): Promise<boolean> {
  const { out } = await run(
    sandbox,
    `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c '[s]leep ${mark}' || true`,
  );
  return out.trim() !== '0';
}

export function describeProcesses(sandbox: Sandbox): void {
  describe('processes', () => {
    it.each([
      ['a background child', 'sleep MARK & sleep MARK'],
      ['one that ignores TERM', "trap '' TERM; sleep MARK & while true; do sleep MARK; done"],
      ['one in a session of its own', 'setsid bash -c \'trap "" TERM HUP; sleep MARK; true\' & sleep MARK'],
    ])(
      'cancel ends %s',
      async (_what, template) => {
        const mark = String(100_000 + (Math.floor(performance.now() * 1_000) % 800_000));
        const stop = new AbortController();
        const running = run(sandbox, template.replaceAll('MARK', mark), {}, stop.signal);
        await vi.waitFor(async () => expect(await lives(sandbox, mark)).toBe(true), { timeout: 5_000 });
        stop.abort();
        await expect(running).rejects.toMatchObject({ code: 'cancelled' });
        await vi.waitFor(async () => expect(await lives(sandbox, mark)).toBe(false), { timeout: 5_000 });
      },
      30_000,
    );

    it('what a foreground command leaves holding its output is ended and told', async () => {
      const result = await run(sandbox, 'sleep 31337 & echo done');
      expect(result).toMatchObject({ state: 'exited', exitCode: 0, out: 'done\n', lingering: true });
      expect(result.durationMs).toBeLessThan(5_000);
      expect(await lives(sandbox, '31337')).toBe(false);
    });

    it('name the signal that ended them', async () => {
      expect(await run(sandbox, 'kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    });

    it('keep the last of a flood, and count the rest', async () => {
      const result = await run(sandbox, 'head -c 90000000 /dev/zero', { timeoutMs: 150_000 });
      expect(result).toMatchObject({ state: 'exited', exitCode: 0, droppedBytes: 90_000_000 - 67_108_864 });
      expect(result.stdout.bytes).toBe(67_108_864);
      expect(result.out).toHaveLength(67_108_864);
    }, 180_000);

    it('carry any bytes', async () => {
      const { stdout } = await run(sandbox, "printf '\\0\\377\\200a'");
      const chunks: Uint8Array[] = [];
      for await (const chunk of stdout.read()) chunks.push(chunk);
      expect(Buffer.concat(chunks)).toEqual(Buffer.from([0, 255, 128, 97]));
    });

    it('are the first the kernel takes, and yield to the agent', async () => {
      const { out } = await run(
        sandbox,
        'cat /proc/self/oom_score_adj; ps -o ni= -p $$ 2>/dev/null || cut -d" " -f19 /proc/self/stat',
      );
      expect(out.trim().split(/\s+/)).toEqual(['900', '5']);
    });

    it('see only what they were given of the agent', async () => {
      const { out } = await run(sandbox, 'env | cut -d= -f1');
      expect(out).not.toMatch(/ONESLOT_(?!JOB)/);
      expect(out).not.toContain('NODE_OPTIONS');
    });

    it('show the ports they listen on', async () => {
      const server =
        "require('net').createServer().listen(0, '127.0.0.1', function () { console.log('port ' + this.address().port) })";
      const { processId } = await run(sandbox, `node -e "${server}"`, { background: true });
      const poll = {
        processId,
        waitMs: 10_000,
        until: 'match' as const,
        pattern: 'port \\d+',
        fromStart: true,
        callerId: 'ports',
      };
      const { text } = await sandbox.client.commands.poll(poll);
      const port = Number(/port (\d+)/.exec(text)?.[1]);
      const listed = (await sandbox.client.commands.list()).find((one) => one.processId === processId);
      expect(listed?.listeningPorts).toEqual([port]);
      await sandbox.client.commands.stop(processId, 'kill');
    }, 30_000);

    it('git reads, and nothing else', async () => {
      await run(
        sandbox,
        'rm -rf repo && mkdir repo && git init -q -b main . && git add notes.txt && git -c user.name=a -c user.email=a@b commit -qm c1',
        { cwd: '.' },
      );
      expect(await sandbox.client.git.run(['log', '--format=%s'])).toEqual({ exitCode: 0, stdout: 'c1\n', stderr: '' });
      for (const words of [
        ['push'],
        ['log', '--output=x'],
        ['diff', '--ext-diff'],
        ['branch', 'new'],
        ['-c', 'x=y', 'log'],
      ]) {
        await expect(sandbox.client.git.run(words)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      await run(
        sandbox,
        "git config core.fsmonitor 'touch fsmonitor-ran' && git config diff.external 'touch external-ran'",
        { cwd: '.' },
      );
      await sandbox.client.git.run(['status', '--porcelain']);
      await sandbox.client.git.run(['diff', 'HEAD']);
      for (const name of ['fsmonitor-ran', 'external-ran'])
        await expect(sandbox.client.files.stat(name)).rejects.toMatchObject({ code: 'not_found' });
      await sandbox.client.files.remove('repo', { recursive: true });
    }, 30_000);
  });
}

/** A shell on a terminal, where the engine has one. */
export function describeTerminals(sandbox: Sandbox): void {
  describe('terminals', () => {
    it('echo keys, know their size and tell how they ended', async () => {
      const terminal = await sandbox.client.terminal({ columns: 91, rows: 31 });
      let screen = '';
      const reading = (async () => {
        for await (const bytes of terminal.output) screen += Buffer.from(bytes).toString('utf8');
      })();
      terminal.write(Buffer.from('stty size; echo "mark-$((40 + 2))"\n'));
      await vi.waitFor(() => expect(screen).toContain('mark-42'), { timeout: 10_000 });
      expect(screen).toContain('31 91');
      await terminal.resize(132, 50);
      terminal.write(Buffer.from('stty size; exit 7\n'));
      expect(await terminal.ended).toEqual({ exitCode: 7, signal: null });
      await reading;
      expect(screen).toContain('50 132');
      await expect(terminal.resize(80, 24)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('end with all they started when they are closed', async () => {
      const terminal = await sandbox.client.terminal({ columns: 80, rows: 24 });
      let screen = '';
      const reading = (async () => {
        for await (const bytes of terminal.output) screen += Buffer.from(bytes).toString('utf8');
      })();
      terminal.write(Buffer.from("trap '' HUP; sleep 424242 & echo ready-$((1 + 1))\n"));
      await vi.waitFor(() => expect(screen).toContain('ready-2'), { timeout: 10_000 });
      terminal.close();
      await expect(terminal.ended).rejects.toMatchObject({ code: 'cancelled' });
      await reading.catch(() => undefined);
      await vi.waitFor(async () => expect(await lives(sandbox, '424242')).toBe(false), { timeout: 5_000 });
    });

    it('carry a command that asks for one', async () => {
      expect(await run(sandbox, 'test -t 1 && echo on a terminal; exit 4', { tty: true })).toMatchObject({
        exitCode: 4,
        out: expect.stringContaining('on a terminal'),
      });
    });
  });
}
