import { readFileSync } from 'node:fs';
import { inRoot, root } from './bootstrap/paths.ts';
import { readImportGraph } from './check/import-graph.ts';
import { checkLayers } from './check/layers.ts';
import { listFiles } from './check/source-files.ts';

const files = listFiles(root, /\.tsx?$/).filter(
  (file) => !file.endsWith('.d.ts') && !file.startsWith('bench/scripted-model/'),
);
const problems = checkLayers(readImportGraph(root, files), JSON.parse(readFileSync(inRoot('layers.json'), 'utf8')));
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} imports that layers.json does not allow`);
process.exitCode = problems.length === 0 ? 0 : 1;
