import { defineConfig } from 'tsdown';

/** The two programs baked into the sandbox image: each one file, with only the PTY library beside it. */
const common = {
  format: 'esm' as const,
  platform: 'node' as const,
  target: 'node24',
  outDir: 'dist',
  dts: false,
  hash: false,
  clean: false,
  outputOptions: { codeSplitting: false },
  deps: { alwaysBundle: [/^zod/], neverBundle: ['@lydell/node-pty'] },
};

export default defineConfig([
  { ...common, entry: { sandboxd: 'src/agent/main.ts' } },
  { ...common, entry: { bridge: 'src/bridge.ts' } },
]);
