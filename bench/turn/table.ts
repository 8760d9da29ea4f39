import type { Request } from './scripted.ts';

/** Overheads of all rounds by what the turn had to do, one column per side. */
export type Samples = Map<string, { floor: number[]; product: number[] }>;

export function collect(samples: Samples, side: 'floor' | 'product', requests: readonly Request[]): void {
  for (const { kind, afterTag, overhead } of requests) {
    if (kind !== 'main' || !afterTag || typeof overhead !== 'number') continue;
    const row = samples.get(afterTag) ?? { floor: [], product: [] };
    row[side].push(overhead);
    samples.set(afterTag, row);
  }
}

export function renderTable(samples: Samples): string {
  const head = ['after', 'turns', 'floor median', 'product median', 'product p95', 'ratio', 'added'];
  const rows = [...samples].map(([tag, { floor, product }]) => {
    const [low, mid] = [quantile(floor, 0.5), quantile(product, 0.5)];
    return [
      tag,
      String(product.length),
      ms(low),
      ms(mid),
      ms(quantile(product, 0.95)),
      (mid / low).toFixed(1),
      ms(mid - low),
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
