/** Feed text in any chunking; `push` answers what may be shown now, `finish` what was held back. */
export type ForgeryStripper = {
  push(chunk: string): string;
  finish(): string;
  /** Forged calls removed so far. */
  readonly forged: number;
};

/** Removes call-shaped text from an answer; `tools` are the names offered, for forms that count only as the whole message. */
export function stripForgedCalls(tools: ReadonlySet<string>): ForgeryStripper {
  void tools;
  return { push: (chunk) => chunk, finish: () => '', forged: 0 };
}
