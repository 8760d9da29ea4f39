import { ensureNode } from './node24.mjs';

await ensureNode();

const { root } = await import('./bootstrap/paths.ts');
const { newTool } = await import('./new-tool.ts');
try {
  console.log(`${newTool(root, process.argv[2] ?? '').join('\n')}\nFill them in, then run: npm run check`);
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
