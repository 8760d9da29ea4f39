import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inRoot, root } from './bootstrap/paths.ts';
import { checkShape } from './check/shape.ts';

const { errorCodes } = await import(pathToFileURL(inRoot('packages/core/src/errors.ts')).href);
const problems = checkShape(root, JSON.parse(readFileSync(inRoot('layers.json'), 'utf8')), errorCodes);
for (const problem of problems) console.error(problem);
console.log(`${problems.length} problems of shape`);
process.exitCode = problems.length === 0 ? 0 : 1;
