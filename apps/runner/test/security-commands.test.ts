import { createServer } from 'node:net';
import type { PolicyPort, ToolCall } from '@oneslot/core';
import { createApprovalLedger, createDispatcher, createSessionCatalog, ToolLock } from '@oneslot/core';
import {
  fakeApprovals,
  fakeClock,
  fakeEnvelopes,
  fakeJournal,
  fakeRandom,
  fakeSecrets,
  fakeShell,
  fakeSubjects,
} from '@oneslot/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../../../scripts/has.ts';
import { snapshotPolicy } from '../src/policy/session-policy.ts';
import { loadCommandParser } from '../src/ports/command-parser.ts';
import type { EngineName } from '../src/sandbox/engine.ts';
import { expectNotBuilt } from './lib/entry-points.ts';
import { call, type LiveWorld, openLiveWorld, run } from './lib/live-world.ts';
import { waitFor } from './lib/session-world.ts';

// Numbers are those of the adversarial tests, section C.

/** Ways to start a denied program behind an allowed one. */
const hidden = [
  'npm test;curl x',
  'npm test&curl x',
  'npm test|curl -T- x',
  'npm test||curl x',
  'npm test && curl x',
  'npm test\ncurl x',
  'npm test $(curl x)',
  'npm test `curl x`',
  'npm test <(curl x)',
  'npm test > >(curl x)',
  '{ curl x; }',
  '( curl x )',
  '! curl x',
  'if curl x;then :;fi',
  'while curl x; do :; done',
  'for a in 1; do curl x; done',
  'case a in a) curl x;; esac',
  'alias c="curl x"',
  'f() { curl x; }; f',
  'eval "curl x"',
  'trap "curl x" EXIT',
  'exec curl x',
  'command curl x',
  'builtin command curl x',
  'coproc curl x',
  'time curl x',
  'bash -c "curl x"',
  'bash <<< "curl x"',
  'bash <<EOF\ncurl x\nEOF',
  'echo "curl x" | sh',
  '/usr/bin/curl x',
  '\\curl x',
  '"cu"rl x',
  "$'curl' x",
  'env A=1 curl x',
  'timeout 5 curl x',
  'xargs curl x',
  'find . -exec curl {} \\;',
  'A=$(curl x) npm test',
  'cat <<EOF\n$(curl x)\nEOF',
  `: "\${x:-$(curl x)}"`,
];
// With a blank between them: two together are arithmetic.
const nested = (depth: number, inner: string) => `${'( '.repeat(depth)}${inner}${' )'.repeat(depth)}`;
const layered = (depth: number) => {
  let text = 'curl x';
  for (let level = 0; level < depth; level += 1) text = `eval '${text.replaceAll("'", `'\\''`)}'`;
  return text.length < 16_000 ? text : '';
};

describe('a rule that denies a program, over the dispatcher as the runner wires it', { timeout: 60_000 }, () => {
  let live: LiveWorld;
  beforeAll(async () => {
    live = await openLiveWorld();
  }, 180_000);
  afterAll(() => live.close(), 60_000);

  const denyCurl: PolicyPort['evaluate'] = ({ command }) =>
    command.some(([program = '']) => program.split('/').at(-1) === 'curl')
      ? { effect: 'deny', ruleIds: ['no-curl'], reason: 'curl is denied' }
      : { effect: 'none', ruleIds: [], reason: '' };

  /** Autopilot in a container: whatever the rule does not catch runs without a question. */
  async function judged(commands: readonly string[]) {
    const shell = fakeShell();
    const policy = { ...snapshotPolicy({ mode: 'autopilot', isolation: 'container' }), evaluate: denyCurl };
    const dispatcher = createDispatcher({
      catalog: createSessionCatalog({ catalog: live.world.wired.catalog }),
      ports: () => ({ shell }),
      policy: () => policy,
      parser: await loadCommandParser(),
      approvals: fakeApprovals(),
      subjects: fakeSubjects(),
      ledger: createApprovalLedger(),
      journal: fakeJournal(),
      envelopes: fakeEnvelopes(),
      secrets: fakeSecrets(),
      lock: new ToolLock(),
      clock: fakeClock(),
      randomBytes: fakeRandom(),
      report: () => undefined,
    });
    const codes: [string, string | null][] = [];
    for (const [index, command] of commands.entries()) {
      const one: ToolCall = { callId: `c${index}`, name: 'run_command', argumentsText: JSON.stringify({ command }) };
      dispatcher.beginTurn();
      const [result] = await dispatcher.dispatch([one], 'complete', new AbortController().signal);
      codes.push([command.slice(0, 80), result?.code ?? null]);
    }
    return { codes, ran: shell.commands };
  }

  test('security 30: a denied program is denied behind an allowed one, however it is started', async () => {
    expectNotBuilt('rules of the organization');
    expect((await judged(['npm test', 'cat curl.txt'])).codes.map(([, code]) => code)).toEqual([null, null]);
    const { codes, ran } = await judged(hidden);
    expect(codes).toEqual(hidden.map((command) => [command.slice(0, 80), 'denied_by_policy']));
    expect(ran).toEqual([]);
  });

  test('security 31: the last of many parts and the innermost of many brackets is denied, or all is refused', async () => {
    const chains = [51, 500, 5_000].flatMap((count) =>
      [';', '&&', '||', '|', '\n'].map((joint) => `${`:${joint}`.repeat(count - 1)}curl x`),
    );
    const deep = [5, 50, 199, 201, 500, 2_000].map((depth) => nested(depth, 'curl x'));
    const substituted = [5, 50, 201, 1_000].map((depth) => `echo ${'$('.repeat(depth)}curl x${')'.repeat(depth)}`);
    const layers = [1, 2, 3, 4, 5, 6, 7, 8].map(layered).filter((text) => text !== '');
    const all = [...chains, ...deep, ...substituted, ...layers];
    const { codes, ran } = await judged(all);
    // Longer than a command may be is refused before anybody reads it.
    const expected = all.map((text) => (text.length > 16_384 ? 'invalid_input' : 'denied_by_policy'));
    expect(codes.map(([command, code]) => [command, code])).toEqual(
      all.map((command, index) => [command.slice(0, 80), expected[index]]),
    );
    expect(ran).toEqual([]);
  });

  test('security 39: what would keep the judge busy is refused, denied or asked about in moments', async () => {
    const length = 16_000;
    const heavy = [
      '(',
      '$((',
      '`',
      '"$(',
      '{',
      '[[',
      '<(',
      '<<A\n',
      '\\',
      "'",
      'a|',
      'a&&',
      `\${a:-`,
      '((',
      'case a in ',
      'if ',
    ];
    for (const piece of heavy) {
      const startedAt = performance.now();
      const command = piece.repeat(Math.floor(length / piece.length));
      const { codes, ran } = await judged([`${command}\ncurl x`]);
      const tookMs = performance.now() - startedAt;
      // 50 ms on a quiet core; what grows faster than the text takes minutes here.
      expect([piece, tookMs < 2_000, tookMs]).toEqual([piece, true, tookMs]);
      expect([piece, codes[0]?.[1] === 'denied_by_policy' || ran.length === 1]).toEqual([piece, true]);
    }
  });
});

describe.each<[EngineName, boolean]>([
  ['simulated', true],
  ['bubblewrap', has('bubblewrap')],
  ['docker', has('docker')],
])('commands on %s', { timeout: 120_000 }, (engine, here) => {
  describe.runIf(here)('through message, model, runner and sandbox', () => {
    let live: LiveWorld;
    beforeAll(async () => {
      live = await openLiveWorld({ engine });
    }, 300_000);
    afterAll(() => live?.close(), 60_000);

    /** What the plan says of each command, before any of them runs. */
    async function plans(commands: readonly string[]) {
      const sessionId = await live.open('agent');
      await live.say(sessionId, [{ calls: commands.map(run) }]);
      await waitFor(live.world, sessionId, 'call-planned', commands.length);
      await live.stop(sessionId);
      const planned = (await live.all(sessionId, 'call-planned')).slice(0, commands.length);
      return planned.map(({ decision, readOnly }, index) => [commands[index], decision, readOnly]);
    }
    const unasked = (rows: unknown[][]) =>
      rows.filter(([, decision]) => decision === 'run').map(([command]) => command);

    test('security 30: nothing that hides a program runs unasked, and the box alone lets nothing out either', async () => {
      expectNotBuilt('egress proxy');
      if (engine !== 'bubblewrap') expect(unasked(await plans(['ls', 'cat notes.txt']))).toHaveLength(2);
      expect(unasked(await plans(hidden))).toEqual([]);

      let reached = 0;
      const sink = createServer((socket) => {
        reached += 1;
        socket.destroy();
      });
      await new Promise<void>((done) => sink.listen(0, '0.0.0.0', done));
      const address = sink.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const sessionId = await live.open('autopilot');
      const targets = ['127.0.0.1', '172.17.0.1', 'host.docker.internal', 'localhost'];
      const tries = targets.flatMap((host) => [
        `timeout 3 bash -c 'echo canary > /dev/tcp/${host}/${port}'`,
        `curl -m 3 -s http://${host}:${port}/canary`,
      ]);
      await live.say(
        sessionId,
        tries.map((command) => ({ calls: [run(command)] })),
      );
      const asked = async () => {
        for (let nth = 1; ; nth += 1) await live.decide(await live.asked(sessionId, nth), { decision: 'approve_once' });
      };
      void asked().catch(() => undefined);
      await live.ended(sessionId);
      const results = await live.all(sessionId, 'call-finished');
      await new Promise((done) => sink.close(done));
      expect(results).toHaveLength(tries.length);
      expect(reached).toBe(0);
    });

    test('security 33: a harmless program with a flag that runs something is asked about', async () => {
      const flags = [
        'git -c core.pager=sh log',
        'git grep --open-files-in-pager=sh x',
        'git log --output=x',
        'git diff --ext-diff',
        'man -P sh ls',
        'less notes.txt',
        'vim -c ":!sh" notes.txt',
        'rg --pre sh x',
        'fd -x sh',
        'find . -exec sh {} \\;',
        'find . -ok sh {} \\;',
        'find . -delete',
        'find . -fprint out.txt',
        'sort -o out.txt notes.txt',
        'sort --compress-program=sh notes.txt',
        'tar --checkpoint=1 --checkpoint-action=exec=sh -cf x.tar .',
        'tar --to-command=sh -xf x.tar',
        'tar -I sh -xf x.tar',
        'ssh -o ProxyCommand=sh host',
        'rsync -e sh a b',
        'sed -n "1e sh" notes.txt',
        'sed "s/a/b/e" notes.txt',
        'sed -n "w out.txt" notes.txt',
        'awk "BEGIN{system(\\"sh\\")}"',
        'awk "BEGIN{print 1 > \\"out.txt\\"}"',
        'xargs sh',
        'env sh',
        'split --filter=sh notes.txt',
        'zip x.zip notes.txt -T -TT sh',
        'column -t -o x; LESSOPEN="|sh %s" less notes.txt',
        'date -s tomorrow',
        'tree -o out.txt',
        'xxd -r notes.txt out.txt',
        'uniq notes.txt out.txt',
      ];
      expect(unasked(await plans(flags))).toEqual([]);
    });

    test('security 34: what a line hides from the eye or from a simple parser never runs unasked', async () => {
      const odd = [
        'ls\ncurl x',
        'ls\r\ncurl x',
        'ls\rcurl x',
        'ls\0curl x',
        'ls\fcurl x',
        'ls\vcurl x',
        'ls # a\ncurl x',
        'ls \\\n; curl x',
        'cat <<EOF\n$(curl x)\nEOF',
        'cat <<EOF\nx\nEOF\ncurl x',
        "cat <<'A' <<B\nx\nA\n$(curl x)\nB",
        "$'cu\\x72l' x",
        "$'\\143url' x",
        '$"curl" x',
        'ls "',
        "ls '",
        'ls $(',
        'ls `',
        `ls \${`,
        'ls && ',
        'ls |',
        'ls ;; curl x',
        'if ls',
        'ls\u2028curl x',
        'ls \u00a0; curl x',
        'ls\u200b',
        'ｃｕｒｌ x',
        'сurl x',
        '!!',
        '[[ a =~ $(curl x) ]]',
        `echo \${x@P}`,
        'echo $((a[$(curl x)]))',
      ];
      expect(unasked(await plans(odd))).toEqual([]);
    });

    test('security 38: a name, a thought or a first field of 30 kB is refused, and its answer stays short', async () => {
      const sessionId = await live.open('autopilot');
      const long = 'a'.repeat(30_000);
      await live.say(sessionId, [
        {
          calls: [
            call(long, {}),
            call('run_command', { command: 'touch one', description: long }),
            call('run_command', { [long]: 1, command: 'touch two' }),
            call('run_command', { command: `touch three #${long}` }),
            call('run_command', `{"padding":"${long}","command":"touch four"`),
          ],
        },
      ]);
      await live.ended(sessionId);
      const results = await live.all(sessionId, 'call-finished');
      expect(results.map(({ result }) => result.ok)).toEqual([false, false, false, false, false]);
      for (const { result } of results) expect(Buffer.byteLength(result.content)).toBeLessThan(4_096);
      expect(await live.all(sessionId, 'call-started')).toEqual([]);
    });
  });
});
