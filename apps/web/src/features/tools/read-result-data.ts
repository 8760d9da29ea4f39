import type { Result } from '../session/view-model.ts';

export type FileChange = { path: string; diff: string; created: boolean };

/** `data` is free form at the wire; what a card draws from it is checked here. */
export function changeOf(result: Result | null): FileChange | null {
  const data = fieldsOf(result?.data);
  const { path, diff, created } = data;
  if (typeof path !== 'string' || typeof diff !== 'string' || diff.trim() === '') return null;
  return { path, diff, created: created === true };
}

function fieldsOf(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? { ...data } : {};
}
