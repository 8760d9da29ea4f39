import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Done, foreignTool } from './lib/foreign-tools.ts';
import { call, type LiveWorld, openLiveWorld, type Step } from './lib/live-world.ts';

// Numbers are those of the adversarial tests, sections C and J: what a name resolves to is what is governed.

describe('names of tools', { timeout: 60_000 }, () => {
  const done: Done = [];
  let live: LiveWorld;
  beforeAll(async () => {
    // One that came later and differs from a tool of the house in a separator only.
    live = await openLiveWorld({ foreignTools: [foreignTool(done, { name: 'readfile' })] });
  }, 180_000);
  afterAll(() => live.close(), 60_000);

  async function plans(calls: Step['calls'] & object) {
    const sessionId = await live.open('ask');
    await live.write(sessionId, 'notes.txt', 'x\n');
    // One turn each: refusals in a row would end a longer one.
    const planned: { name: string; tool: string | null; decision: string; level: string | null }[] = [];
    for (const [index, one] of calls.entries()) {
      await live.say(sessionId, [{ calls: [one] }]);
      const end = live.ended(sessionId, index + 1);
      const asked = live.asked(sessionId, planned.filter((plan) => plan.decision === 'ask').length + 1);
      const first = await Promise.race([end.then(() => null), asked]);
      if (first) await live.decide(first, { decision: 'deny' });
      await end;
      const plan = (await live.all(sessionId, 'call-planned')).at(-1);
      if (plan) planned.push(plan);
    }
    const results = await live.all(sessionId, 'call-finished');
    return { planned, contents: results.map(({ result }) => result.content) };
  }

  test('security 37: names of the language, of other widths and with marks are no tools', async () => {
    const names = [
      'toString',
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'valueOf',
      'ｒｕｎ＿ｃｏｍｍａｎｄ',
      'rún_command',
      'run_comm\u0430nd',
      'run_command\u0301',
    ];
    const { planned, contents } = await plans(names.map((name) => call(name, { command: 'touch x' })));
    expect(planned.map(({ tool, decision }) => [tool, decision])).toEqual(names.map(() => [null, 'refused']));
    for (const content of contents) expect(content).toMatch(/^\[not_available\]/);
    const inside = await plans([
      call('read_file', '{"path":"notes.txt","__proto__":{"limit":1}}'),
      call('read_file', { path: '..\\..\\etc\\passwd' }),
      call('read_file', { path: 'constructor' }),
    ]);
    expect(inside.contents.slice(1)).toEqual([
      expect.stringMatching(/^\[(?:not_found|outside_workspace|invalid_input)\]/),
      expect.stringMatching(/^\[not_found\]/),
    ]);
    expect(inside.contents.join('')).not.toContain('root:');
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('limit');
  });

  test('security 37: a dot, a space or capitals around a name lead to the tool itself, and to its question', async () => {
    const names = ['RUN_COMMAND', ' run_command ', 'run_command.', 'Run_Command', '"run_command"'];
    const { planned } = await plans(names.map((name, index) => call(name, { command: `touch x${index}` })));
    for (const plan of planned)
      expect([plan.tool, plan.decision]).toEqual(plan.tool === null ? [null, 'refused'] : ['run_command', 'ask']);
    expect(planned.filter((plan) => plan.tool === 'run_command').length).toBeGreaterThan(2);
  });

  test('security 95: alias, case, suffix and prefix of a gated tool are judged as that tool; near misses are no tool', async () => {
    const same = ['Bash', 'runCommand', 'run-command', 'run_command_tool', 'functions.run_command', 'RunCommand'];
    const near = ['run_comand', 'run_comman', 'run', 'command', 'run_commands', 'xrun_command'];
    const taken = await plans(same.map((name, index) => call(name, { command: `touch y${index}` })));
    expect(taken.planned.map(({ tool, decision, level }) => [tool, decision, level])).toEqual(
      same.map(() => ['run_command', 'ask', 'required']),
    );
    const missed = await plans(near.map((name) => call(name, { command: 'touch z' })));
    expect(missed.planned.map(({ tool, decision }) => [tool, decision])).toEqual(near.map(() => [null, 'refused']));
    expect(missed.contents[0]).toContain('Did you mean: run_command');
  });

  test('security 95: a name that fits a tool and a newcomer is governed as the one it resolves to, or is an error that names both', async () => {
    const { planned, contents } = await plans([
      call('Read.File', { path: 'notes.txt' }),
      call('read_file', { path: 'notes.txt' }),
      call('ReadFile', { path: 'notes.txt' }),
    ]);
    expect(planned[1]).toMatchObject({ tool: 'read_file', decision: 'run' });
    for (const [index, { tool, decision }] of planned.entries()) {
      // Whichever it is, the level and the question are those of the tool it resolved to.
      const governed = { read_file: 'run', readfile: 'ask', nobody: 'refused' }[tool ?? 'nobody'];
      expect([tool, decision]).toEqual([tool, governed]);
      if (tool === null) expect(contents[index]).toMatch(/read_file.*readfile|readfile.*read_file/s);
    }
    expect(done).toEqual([]);
  });
});
