import { describe, expect, it } from 'vitest';
import type { OutputStream } from '../contract/tool-call.ts';
import { fakeEnvelopes, fakeSecrets, readCases, spell } from '../testing/index.ts';
import { commandCut } from './cut-output.ts';
import { envelopeOutput } from './envelope-output.ts';

type Text = { text: string; repeat: number }[];
type Row = {
  id: string;
  stdout: Text;
  stderr?: Text;
  status?: string;
  spillWrite?: string;
  callId?: string;
  expect: {
    totalBytes: number;
    truncated?: boolean;
    headBytes?: number;
    tailBytes?: number;
    omittedBytes?: number;
    headEndsWith?: string;
    tailStartsWith?: string;
    mustContain?: string[];
    mustNotContain?: string[];
    spilled: boolean;
    maxTotalBytes?: number;
    maxPreservedLines?: number;
    resultTruncated?: boolean;
  };
};

const stream = (name: OutputStream['name'], text: string): OutputStream => ({
  name,
  bytes: Buffer.byteLength(text),
  async *read() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
  },
});

describe('cases/core/shell_truncation.json', () => {
  for (const row of readCases<Row>(new URL('../../../../cases/core/shell_truncation.json', import.meta.url))) {
    it(row.id, async () => {
      const store = fakeEnvelopes();
      store.failing = row.spillWrite === 'fails';
      const problems: string[] = [];
      const stdout = spell(row.stdout);
      const streams = [stream('stdout', stdout), ...(row.stderr ? [stream('stderr', spell(row.stderr))] : [])];
      const output = await envelopeOutput(
        {
          header: '',
          streams,
          rule: commandCut,
          spill: row.status !== 'running',
          clean: true,
          meta: { callId: row.callId ?? 'c1', tool: 'run_command', origin: 'run_command', untrusted: false },
        },
        { envelopes: store, secrets: fakeSecrets(), report: (problem) => problems.push(problem.message) },
      );
      const { expect: want } = row;
      const total = Buffer.byteLength([output.text, output.pointer ?? ''].join('\n'));
      expect(Buffer.byteLength(stdout)).toBe(want.totalBytes);
      expect(output.truncated).toBe(want.resultTruncated ?? want.truncated ?? true);
      expect(output.ref !== null).toBe(want.spilled);
      expect(total).toBeLessThanOrEqual(want.maxTotalBytes ?? 30_001);
      if (want.headBytes !== undefined) {
        const [, head = '', omitted, tail = ''] =
          /^([\s\S]*?)\n\[\.\.\. (\d+) bytes cut away here \.\.\.\]\n(?:[\s\S]*\n\[\.\.\. end of kept lines \.\.\.\]\n)?([\s\S]*)$/.exec(
            output.text,
          ) ?? [];
        expect([Buffer.byteLength(head), Buffer.byteLength(tail), Number(omitted)]).toEqual([
          want.headBytes,
          want.tailBytes,
          want.omittedBytes,
        ]);
        expect(head.endsWith(want.headEndsWith ?? '')).toBe(true);
        expect(tail.startsWith(want.tailStartsWith ?? '')).toBe(true);
      }
      for (const text of want.mustContain ?? []) expect(output.text).toContain(text);
      for (const text of want.mustNotContain ?? []) expect(output.text).not.toContain(text);
      if (row.spillWrite === 'fails') expect(problems).not.toEqual([]);
      if (want.spilled && !row.stderr) {
        const kept = [...store.ready.values()][0];
        expect(kept?.bytes.toString()).toBe(Buffer.from(stdout).toString());
        expect(kept?.info.cutOffset).toBe(want.headBytes);
      }
    });
  }
});
