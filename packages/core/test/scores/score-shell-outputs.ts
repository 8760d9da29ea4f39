import { commandCut } from '../../src/output/cut-output.ts';
import { envelopeOutput } from '../../src/output/envelope-output.ts';
import { type FakeEnvelopes, fakeEnvelopes } from '../../src/testing/fake-envelopes.ts';
import { fakeSecrets } from '../../src/testing/fake-ports.ts';
import { spell } from '../../src/testing/read-cases.ts';
import { brief, type RowScore, sameJson, score, unless } from './score.ts';
import { cutMarks, cutSizes, streamOf } from './score-outputs.ts';

type Text = { text: string; repeat: number }[];
export type ShellOutput = {
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

export async function scoreShellOutput(row: ShellOutput): Promise<RowScore> {
  const store = fakeEnvelopes();
  store.failing = row.spillWrite === 'fails';
  const problems: string[] = [];
  const stdout = spell(row.stdout);
  const streams = [
    streamOf('stdout', stdout, 10_007),
    ...(row.stderr ? [streamOf('stderr', spell(row.stderr), 10_007)] : []),
  ];
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
  return score(row.id, [
    ...unless(Buffer.byteLength(stdout) === want.totalBytes, `${Buffer.byteLength(stdout)} bytes written`),
    ...unless(output.truncated === (want.resultTruncated ?? want.truncated ?? true), `truncated ${output.truncated}`),
    ...unless((output.ref !== null) === want.spilled, `spilled ${output.ref !== null}`),
    ...unless(total <= (want.maxTotalBytes ?? 30_001), `${total} bytes in all`),
    ...partFailures(output.text, want),
    ...unless(row.spillWrite !== 'fails' || problems.length > 0, 'a failed write was not reported'),
    ...(want.spilled && !row.stderr ? keptFailures(store, stdout, want.headBytes) : []),
  ]);
}

function partFailures(text: string, want: ShellOutput['expect']): string[] {
  const missing = (want.mustContain ?? []).filter((part) => !text.includes(part));
  const present = (want.mustNotContain ?? []).filter((part) => text.includes(part));
  const rescued = /\nlines kept from it:\n([\s\S]*)\n\[\.\.\. end of kept lines \.\.\.\]\n/.exec(text)?.[1];
  const lines = rescued?.split('\n').length ?? 0;
  const [, head = '', , tail = ''] = cutMarks.exec(text) ?? [];
  const sizes = cutSizes(text);
  const sized = want.headBytes === undefined || sameJson(sizes, sizesOf(want));
  return [
    ...missing.map((part) => `lacks ${brief(part)}`),
    ...present.map((part) => `holds ${brief(part)}`),
    ...unless(lines <= (want.maxPreservedLines ?? Number.POSITIVE_INFINITY), `${lines} rescued lines`),
    ...unless(sized, `parts ${brief(sizes)}`),
    ...unless(head.endsWith(want.headEndsWith ?? ''), 'the head ends elsewhere'),
    ...unless(tail.startsWith(want.tailStartsWith ?? ''), 'the tail starts elsewhere'),
  ];
}

function sizesOf(want: ShellOutput['expect']) {
  return { head: want.headBytes, tail: want.tailBytes, omitted: want.omittedBytes };
}

function keptFailures(store: FakeEnvelopes, stdout: string, headBytes: number | undefined): string[] {
  const kept = [...store.ready.values()][0];
  return [
    ...unless(kept !== undefined && Buffer.from(kept.bytes).equals(Buffer.from(stdout)), 'the stored bytes differ'),
    ...unless(kept?.info.cutOffset === headBytes, `the ref starts at ${kept?.info.cutOffset}`),
  ];
}
