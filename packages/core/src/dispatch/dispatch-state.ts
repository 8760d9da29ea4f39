import type { DispatcherDeps } from './dispatcher-deps.ts';

/** What one dispatcher remembers between dispatches, beside what it is wired to. */
export type DispatchState = { deps: DispatcherDeps };
