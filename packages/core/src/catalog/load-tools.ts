import type { ToolSource, ToolSpec } from '../contract/tool-spec.ts';

/** One tool file as the host found it. `name` is what the tool is shown as should its file not load. */
export type ToolListing = { name: string; load(): Promise<{ default: ToolSpec }> };
export type LoadFailure = { name: string; source: ToolSource; reason: string; cause?: unknown };
export type LoadedTools = { specs: ToolSpec[]; failures: LoadFailure[] };

/** Loads every file of a listing; one that throws becomes a failure of its own and harms no other. */
export async function loadTools(listing: readonly ToolListing[], source: ToolSource = 'builtin'): Promise<LoadedTools> {
  const settled = await Promise.allSettled(listing.map(async (entry) => (await entry.load()).default));
  const specs: ToolSpec[] = [];
  const failures: LoadFailure[] = [];
  settled.forEach((result, at) => {
    const name = listing[at]?.name ?? 'unnamed_tool';
    if (result.status === 'rejected') {
      failures.push({
        name,
        source,
        reason: `its file would not load (${reasonOf(result.reason)})`,
        cause: result.reason,
      });
      return;
    }
    if (typeof result.value !== 'object' || result.value === null) {
      failures.push({ name, source, reason: 'its file has no tool as default export' });
      return;
    }
    specs.push(result.value);
  });
  return { specs, failures };
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
