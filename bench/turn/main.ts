import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Product, startProduct } from './product.ts';
import { adapter, type Kit, openKit } from './scripted.ts';
import { collect, renderTable, type Samples } from './table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    scenario: { type: 'string', default: 'mixed20' },
    engine: { type: 'string', default: 'auto' },
    database: { type: 'string' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'oneslot-turns-'));
const kit = await openKit();
const product = await startProduct({
  modelUrl: kit.model.url(null, '/v1'),
  engine: values.engine,
  databaseUrl: values.database,
});
const samples: Samples = new Map();
let turns = 0;
let appendOnly = 0;
try {
  // The first conversation of each side builds images and fills caches; it is not counted.
  await round(product, kit, 'warm-up');
  samples.clear();
  turns = 0;
  appendOnly = 0;
  // Sides alternate, so that noise of the machine falls on both alike.
  for (let index = 0; index < Number(values.rounds); index += 1) await round(product, kit, String(index));
  console.log(
    `\nTurn overhead: last byte of the answer to the whole next request. ${values.scenario}, ${values.rounds} rounds.\n`,
  );
  console.log(renderTable(samples));
  console.log(`\nRequests that only append to the one before: ${appendOnly} of ${turns}.`);
} finally {
  await product.stop();
  await kit.model.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function round(
  running: Product,
  { model, makeScript, makeWorkspace, converse }: Kit,
  name: string,
): Promise<void> {
  const floor = await converse(model, values.scenario, { root: join(folder, 'floor'), timeoutMs: 120_000 });
  collect(samples, 'floor', floor.requests);
  const id = `oneslot-${name}`;
  const workspace = makeWorkspace(join(folder, id));
  model.load(id, { ...makeScript(values.scenario, { cwd: '/workspace' }), adapter });
  await running.converse(id, workspace);
  const { requests } = model.report(id);
  if (!requests.some((request) => request.last)) throw new Error(`${id}: the script was not played to its end.`);
  collect(samples, 'product', requests);
  const later = requests.filter((request) => request.kind === 'main' && request.appendOnly !== undefined);
  turns += later.length;
  appendOnly += later.filter((request) => request.appendOnly).length;
  model.drop(id);
  rmSync(workspace, { recursive: true, force: true });
  console.log(`round ${name}: done`);
}
