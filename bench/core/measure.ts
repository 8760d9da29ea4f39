/** One act under load: `prepare` makes the input of a size, the work that it returns is what is timed. */
export type Subject = {
  name: string;
  /** What a size counts, for people: `KiB`, `tools`. */
  unit: string;
  /** The largest size; the others are a half and a quarter of it. */
  size: number;
  prepare(size: number): () => unknown;
};
export type Measured = { name: string; unit: string; sizes: number[]; ms: number[] };

/** Twice what a line gives at four times the size is none, whatever the machine does meanwhile. */
const mostGrowth = 8;

/** The quickest of several runs at each size, after one that pays for compilation. */
export async function measure(subject: Subject, rounds: number): Promise<Measured> {
  const sizes = [subject.size / 4, subject.size / 2, subject.size].map(Math.round);
  const works = sizes.map((size) => subject.prepare(size));
  const best = sizes.map(() => Number.POSITIVE_INFINITY);
  for (const work of works) await work();
  // Sizes alternate, so that noise of the machine falls on all alike.
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) {
      const started = performance.now();
      await work();
      best[index] = Math.min(best[index] ?? Number.POSITIVE_INFINITY, performance.now() - started);
    }
  }
  return { name: subject.name, unit: subject.unit, sizes, ms: best };
}

/** Time at four times the size against time at the size; 4 is a line. */
export function growthOf({ ms }: Measured): number {
  return (ms.at(-1) ?? 0) / (ms[0] ?? 1);
}

export const isLinear = (measured: Measured): boolean => growthOf(measured) <= mostGrowth;

export function renderTable(all: readonly Measured[]): string {
  const head = ['act', 'size (4×)', 'ms at 1×', 'ms at 2×', 'ms at 4×', 'growth 2×', 'growth 4×', 'per second'];
  const rows = all.map((one) => {
    const [once = 0, twice = 0, fourfold = 0] = one.ms;
    const size = one.sizes.at(-1) ?? 0;
    return [
      one.name,
      `${size.toLocaleString('en')} ${one.unit}`,
      ...[once, twice, fourfold].map((ms) => ms.toFixed(1)),
      (twice / once).toFixed(1),
      (fourfold / once).toFixed(1),
      `${Math.round((1000 * size) / fourfold).toLocaleString('en')} ${one.unit}`,
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
