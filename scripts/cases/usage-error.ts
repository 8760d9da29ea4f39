/** The command was asked in a way it cannot answer; the message says what was wrong. */
export class UsageError extends Error {}
