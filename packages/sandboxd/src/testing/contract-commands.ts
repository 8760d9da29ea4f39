import { describe, expect, it } from 'vitest';
import { run, textOf } from './run.ts';
import type { Sandbox } from './sandbox.ts';

const poll = { waitMs: 10_000, until: 'exit' as const, fromStart: false, callerId: 'one' };

export function describeCommands(sandbox: Sandbox): void {
  describe('commands', () => {
    it('give both streams, exit code and no signal', async () => {
      expect(await run(sandbox, 'echo out; echo err >&2; exit 3')).toMatchObject({
        state: 'exited',
        exitCode: 3,
        signal: null,
        out: 'out\n',
        err: 'err\n',
        droppedBytes: 0,
      });
    });

    it('keep the final directory inside the workspace for the next one', async () => {
      expect((await run(sandbox, 'cd src && pwd', { cwd: '.' })).cwd).toBe('src');
      expect((await run(sandbox, 'pwd')).out.trim()).toMatch(/\/src$/);
      expect((await run(sandbox, 'cd /tmp')).cwd).toBe('src');
      expect((await run(sandbox, 'pwd', { cwd: '.' })).cwd).toBe('.');
    });

    it('refuse a directory that is none', async () => {
      await expect(run(sandbox, 'pwd', { cwd: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(run(sandbox, 'pwd', { cwd: 'notes.txt' })).rejects.toMatchObject({ code: 'not_directory' });
    });

    it('work on the files that file tools see', async () => {
      await run(sandbox, 'mkdir -p both && echo shell > both/s.txt', { cwd: '.' });
      expect(Buffer.from((await sandbox.client.files.read('both/s.txt')).bytes).toString()).toBe('shell\n');
      await sandbox.client.files.write('both/t.txt', Buffer.from('tool\n'), { expectedSha256: null });
      expect((await run(sandbox, 'cat both/t.txt', { cwd: '.' })).out).toBe('tool\n');
    });

    it('take stdin and variables, but none that load code', async () => {
      expect(
        (await run(sandbox, 'cat; echo "$GREETING"', { stdin: 'héllo\n', env: { GREETING: 'hi there' } })).out,
      ).toBe('héllo\nhi there\n');
      for (const name of ['LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV', 'PATH', 'GIT_DIR', 'HTTP_PROXY']) {
        await expect(run(sandbox, 'true', { env: { [name]: 'x' } })).rejects.toMatchObject({ code: 'invalid_input' });
      }
    });

    it('stream whole output, more than once', async () => {
      const result = await run(sandbox, 'seq 1 20000');
      expect(result.out.split('\n')).toHaveLength(20_001);
      expect(result.stdout.bytes).toBe(result.out.length);
      expect(await textOf(result.stdout.read())).toBe(result.out);
    });

    it('move to the background at their limit and end there', async () => {
      const begun = await run(sandbox, 'sleep 1; echo late', { timeoutMs: 200 });
      expect(begun).toMatchObject({ state: 'running', exitCode: null });
      expect(await sandbox.client.commands.poll({ ...poll, processId: begun.processId })).toMatchObject({
        state: 'exited',
        exitCode: 0,
        text: 'late\n',
      });
    });

    it.each([
      ['a line', 'echo done', 'done\n'],
      ['half a line', 'printf done', 'done'],
      ['a complaint', 'echo done >&2', 'done\n'],
      ['more than a megabyte', 'seq 1 250000', null],
    ])(
      'tell their end only with all they printed: %s',
      async (_what, command, text) => {
        const begun = await run(sandbox, `sleep 1.2; ${command}`, { background: true });
        expect(begun.state).toBe('running');
        const last = await sandbox.client.commands.poll({ ...poll, waitMs: 60_000, processId: begun.processId });
        expect(last).toMatchObject({ state: 'exited', exitCode: 0, droppedBytes: 0 });
        if (text === null) expect(last.text.split('\n')).toHaveLength(250_001);
        else expect(last.text).toBe(text);
        expect((await sandbox.client.commands.poll({ ...poll, processId: begun.processId })).text).toBe('');
      },
      90_000,
    );

    it('give every caller what is new to it, once', async () => {
      const { processId } = await run(sandbox, 'for i in 1 2 3; do echo $i; sleep 0.2; done', { background: true });
      const texts: string[] = [];
      for (;;) {
        const one = await sandbox.client.commands.poll({ ...poll, processId, until: 'output', callerId: 'reader' });
        texts.push(one.text);
        if (one.state === 'exited') break;
      }
      texts.push((await sandbox.client.commands.poll({ ...poll, processId, waitMs: 0, callerId: 'reader' })).text);
      expect(texts.join('')).toBe('1\n2\n3\n');
      expect((await sandbox.client.commands.poll({ ...poll, processId, callerId: 'other' })).text).toBe('1\n2\n3\n');
      expect((await sandbox.client.commands.poll({ ...poll, processId, callerId: 'other' })).text).toBe('');
      expect(
        (await sandbox.client.commands.poll({ ...poll, processId, callerId: 'other', fromStart: true })).text,
      ).toBe('1\n2\n3\n');
    });

    it('are listed and named when one is unknown', async () => {
      const { processId } = await run(sandbox, 'sleep 30', { background: true });
      expect(await sandbox.client.commands.list()).toEqual(
        expect.arrayContaining([expect.objectContaining({ processId, state: 'running', command: 'sleep 30' })]),
      );
      await expect(sandbox.client.commands.poll({ ...poll, processId: 'p_zzzz!' })).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining(processId),
      });
      expect(await sandbox.client.commands.stop(processId, 'term')).toMatchObject({ processId, state: 'exited' });
      expect(await sandbox.client.commands.stop(processId, 'term')).toMatchObject({ state: 'exited' });
    });

    it('stop within a second when cancelled, endless loops included', async () => {
      for (const command of ['sleep 30', 'while true; do :; done']) {
        const stop = new AbortController();
        const running = run(sandbox, command, {}, stop.signal);
        await sandbox.client.ping();
        const at = performance.now();
        stop.abort();
        await expect(running).rejects.toMatchObject({ code: 'cancelled' });
        expect(performance.now() - at).toBeLessThan(1_500);
      }
      expect((await sandbox.client.commands.list()).filter(({ state }) => state === 'running')).toEqual([]);
    });

    it('answer pings while one runs wild', async () => {
      const { processId } = await run(sandbox, 'while true; do :; done', { background: true });
      for (let round = 0; round < 3; round += 1) expect(await sandbox.client.ping()).toBeLessThan(1_500);
      await sandbox.client.commands.stop(processId, 'kill');
    });

    it('are refused above twenty at once', async () => {
      const started = await Promise.all(
        Array.from({ length: 20 }, () => run(sandbox, 'sleep 60', { background: true })),
      );
      await expect(run(sandbox, 'true')).rejects.toMatchObject({
        code: 'quota_exceeded',
        message: expect.stringContaining(started[0]?.processId ?? '?'),
      });
      await Promise.all(started.map(({ processId }) => sandbox.client.commands.stop(processId, 'kill')));
      expect((await run(sandbox, 'true')).exitCode).toBe(0);
    }, 60_000);

    it('tell what the sandbox uses', async () => {
      const usage = await sandbox.client.usage();
      expect(usage.workspaceBytes).toBeGreaterThan(200_000);
      expect(usage.processes).toBe(0);
    });
  });
}
