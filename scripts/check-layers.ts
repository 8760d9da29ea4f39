import { readFileSync } from 'node:fs';
import { inRoot, root } from './bootstrap/paths.ts';
import { readImportGraph } from './check/import-graph.ts';
import { checkLayers, findIdleEntries, type LayerRules } from './check/layers.ts';
import { listFiles } from './check/source-files.ts';

const files = listFiles(root, /\.tsx?$/).filter(
  (file) => !file.endsWith('.d.ts') && !file.startsWith('bench/scripted-model/'),
);
const rules: LayerRules = JSON.parse(readFileSync(inRoot('layers.json'), 'utf8'));
const graph = readImportGraph(root, files);
const problems = [...checkLayers(graph, rules), ...findIdleEntries(graph, rules)];
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} problems with layers.json`);
process.exitCode = problems.length === 0 ? 0 : 1;
