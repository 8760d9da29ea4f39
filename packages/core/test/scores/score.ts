/** How one row of a vector file fared. */
export type RowScore = {
  id: string;
  /** Null where the expectation was met, else why not, in few words. */
  failure: string | null;
  /** The outcome was harmful, not merely another one than hoped for. */
  wrong: boolean;
  /** The outcome is one that must never happen. */
  forbidden: boolean;
  /** False where a row is judged but stands outside the share that is reported. */
  counts: boolean;
};
type Harm = { wrong?: boolean; forbidden?: boolean; counts?: boolean };

/** A score from everything that was found amiss; unless said otherwise a row that fails is a wrong one. */
export function score(id: string, failures: readonly string[], harm: Harm = {}): RowScore {
  const failure = failures.length === 0 ? null : failures.join('; ');
  return {
    id,
    failure,
    wrong: harm.wrong ?? failure !== null,
    forbidden: harm.forbidden ?? false,
    counts: harm.counts ?? true,
  };
}

/** What a run over a whole file comes to. `figures` are lines for people; the bar is the set's own. */
export type SetScore = { rows: RowScore[]; figures: string[]; meetsBar: boolean };

/** A set whose bar is that every row meets its expectation. */
export function wholeSet(rows: RowScore[], figures: string[] = []): SetScore {
  return { rows, figures, meetsBar: rows.every((row) => row.failure === null && !row.forbidden) };
}

export type Totals = { passed: number; of: number; wrong: number; forbidden: number };

export function total(rows: readonly RowScore[]): Totals {
  const counted = rows.filter((row) => row.counts);
  return {
    passed: counted.filter((row) => row.failure === null).length,
    of: counted.length,
    wrong: rows.filter((row) => row.wrong).length,
    forbidden: rows.filter((row) => row.forbidden).length,
  };
}

/** One word a check, empty where it holds. */
export function unless(holds: boolean, words: string): string[] {
  return holds ? [] : [words];
}

/** The first characters of a value, for a line that a person reads. */
export function brief(value: unknown, length = 160): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Equal as JSON values: own keys in any order, everything else exactly. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const read = (value: object, key: string): unknown => Object.getOwnPropertyDescriptor(value, key)?.value;
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(read(one, key), read(other, key)))
  );
}

/**
 * Milliseconds of the quickest of a dozen runs, or of the first one within the limit. Waiting for a processor that
 * others hold does not count: of wall and CPU time the smaller one does.
 */
export async function quickest(limitMs: number, work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 12 && best > limitMs; run += 1) {
    const started = performance.now();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, performance.now() - started, (user + system) / 1_000);
  }
  return best;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Row by row; one that the product throws at is a wrong one and harms no other. */
export async function scoreEach<T extends { id: string }, S extends RowScore>(
  rows: readonly T[],
  scoreRow: (row: T) => S | Promise<S>,
): Promise<(S | RowScore)[]> {
  const scores: (S | RowScore)[] = [];
  for (const row of rows) {
    try {
      scores.push(await scoreRow(row));
    } catch (cause) {
      scores.push(score(row.id, [`threw ${cause instanceof Error ? cause.message : String(cause)}`]));
    }
  }
  return scores;
}
