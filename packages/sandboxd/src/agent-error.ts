/** What can go wrong inside a sandbox, in the words a tool hands to the model. */
export const agentErrorCodes = [
  'invalid_input',
  'not_found',
  'outside_workspace',
  'is_directory',
  'not_directory',
  'binary_file',
  'stale_file',
  'too_large',
  'denied_by_policy',
  'timeout',
  'cancelled',
  'unavailable',
  'quota_exceeded',
  'sandbox_lost',
  'conflict',
  'internal',
] as const;

export type AgentErrorCode = (typeof agentErrorCodes)[number];
export type AgentErrorDetails = { next?: string; data?: unknown; cause?: unknown };

/** A failure of one operation. `message` names what was tried and why it failed, `next` what helps. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;
  readonly next: string | undefined;
  readonly data: unknown;

  constructor(code: AgentErrorCode, message: string, details: AgentErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.next = details.next;
    this.data = details.data;
  }
}

export function isAgentErrorCode(code: string): code is AgentErrorCode {
  return (agentErrorCodes as readonly string[]).includes(code);
}

/** Anything thrown, as the error that crosses the wire; what is no AgentError is a bug and says so. */
export function toAgentError(error: unknown): AgentError {
  if (error instanceof AgentError) return error;
  return new AgentError('internal', `The sandbox agent failed: ${reasonOf(error)}`, { cause: error });
}

/** Why, in the system's words but without the path it names after the comma: that is the host's spelling. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'syscall' in error ? (error.message.split(', ')[0] ?? error.message) : error.message;
}
