/** Something the person at the terminal can act on: what was tried, why it failed, what to do next. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly next: string;

  constructor(message: string, next: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.next = next;
  }
}

/** Prints a failure and ends: one sentence and a remedy where it is known, the whole trace where it is a bug. */
export function exitWith(error: unknown): never {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n✗ ${error.message}\n  Next: ${error.next}`);
  process.exit(1);
}
