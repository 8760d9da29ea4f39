import type { DispatcherDeps } from './dispatcher-deps.ts';
import type { LoopGuard } from './guard-loops.ts';
import type { EarlyCalls } from './start-early.ts';

/** What one dispatcher remembers between dispatches, beside what it is wired to. */
export type DispatchState = { deps: DispatcherDeps; guard: LoopGuard; early: EarlyCalls };
