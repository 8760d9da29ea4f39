import type { ModelDelta } from '../../src/turn/model-client.ts';
import { readStream } from '../../src/turn/read-stream.ts';
import { brief, type RowScore, score, unless } from './score.ts';

export type CoreForged = {
  id: string;
  chunks: string[];
  expectVisible: string;
  expectNotice: number;
  expectVisibleAfterChunk?: string[];
};
export type OwnForged = { id: string; family: string; text: string; visible: string; notice: boolean; finish?: string };

/** The tools that the sets say are offered. */
const offered = new Set([
  'read_file',
  'write_file',
  'edit_file',
  'shell',
  'Bash',
  'get_weather',
  'get_time',
  'search',
  'ls',
]);

export type Shown = { visible: string; forged: number; executed: number; after: string[] };

/** An answer that is text alone, read as a turn reads it; `after` is what stands on the page behind each chunk. */
export async function readText(chunks: Iterable<string>, finish = 'stop'): Promise<Shown> {
  const after: string[] = [];
  let visible = '';
  let started = 0;
  async function* deltas(): AsyncGenerator<ModelDelta> {
    for (const text of chunks) {
      yield { kind: 'text', text };
      after.push(visible);
    }
    yield { kind: 'finish', reason: finish === 'stop' ? 'stop' : 'length' };
  }
  const outcome = await readStream(deltas(), {
    tools: offered,
    takenIds: new Set(),
    makeId: () => 'call_1',
    onText: (text) => {
      visible += text;
    },
    onReasoning: () => undefined,
    onCallClosed: () => {
      started += 1;
    },
  });
  return { visible, forged: outcome.forged, executed: started + outcome.calls.length, after };
}

export function cutText(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

export async function scoreCoreForged(row: CoreForged): Promise<RowScore> {
  const { visible, forged, executed, after } = await readText(row.chunks);
  const single = await readText(cutText(row.chunks.join(''), 1));
  const failures = [
    ...unless(visible === row.expectVisible, `shows ${brief(visible)}`),
    ...unless(Math.min(forged, 1) === row.expectNotice, `${forged} notices`),
    ...unless(single.visible === row.expectVisible, `in single characters shows ${brief(single.visible)}`),
    ...unless(
      !row.expectVisibleAfterChunk || after.join('\n') === row.expectVisibleAfterChunk.join('\n'),
      `chunk by chunk shows ${brief(after)}`,
    ),
  ];
  return score(row.id, failures, { forbidden: executed > 0 });
}

export async function scoreOwnForged(row: OwnForged): Promise<RowScore> {
  const whole = await readText([row.text], row.finish);
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const intact = whole.visible === row.text;
  const failures = row.notice
    ? unless(plain(whole.visible) === plain(row.visible), `shows ${brief(whole.visible)}`)
    : unless(intact, `honest text altered: ${brief(whole.visible)}`);
  failures.push(...unless(whole.forged > 0 === row.notice, row.notice ? 'no notice' : 'a notice for nothing'));
  let executed = whole.executed;
  for (const size of [1, 7]) {
    const cut = await readText(cutText(row.text, size), row.finish);
    executed += cut.executed;
    const same = cut.visible === whole.visible && cut.forged === whole.forged;
    const grows = cut.after.every((shown) => whole.visible.startsWith(shown));
    failures.push(...unless(same && grows, `another text in chunks of ${size}: ${brief(cut.visible)}`));
  }
  failures.push(...unless(executed === 0, `${executed} calls executed`));
  return score(row.id, failures, { wrong: !row.notice && !intact, forbidden: executed > 0 });
}
