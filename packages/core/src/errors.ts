/** Every code a model may read, and who can act on it. docs/errors.md is kept equal to this table by a test. */
export const errorCodes = {
  invalid_input: 'The arguments do not fit the schema or contradict each other.',
  not_found: 'No file, id or ref of that name.',
  outside_workspace: 'The path leaves the workspace once links are resolved.',
  is_directory: 'A file was needed, this is a folder.',
  not_directory: 'A folder was needed, this is a file.',
  binary_file: 'Text was needed, these are other bytes.',
  stale_file: 'The file was never read, or changed since it was read.',
  no_match: 'The text to replace does not occur.',
  ambiguous_match: 'The text to replace occurs more than once.',
  parse_regression: 'The write would break a file that parses now.',
  too_large: 'Input or target exceeds a cap.',
  plan_mode: 'The session is in plan mode, which changes nothing.',
  denied_by_policy: 'A rule of the organization, the host list or the command judge refuses it.',
  approval_denied: 'A person said no.',
  approval_expired: 'Nobody answered before the deadline.',
  timeout: 'The tool exceeded its time limit.',
  cancelled: 'The turn was stopped.',
  unavailable: 'A service, program or engine this tool needs is missing.',
  upstream_error: 'A remote service failed.',
  quota_exceeded: 'A budget or count is used up.',
  sandbox_lost: 'The sandbox was restarted: processes are gone, files are kept.',
  conflict: 'Somebody else changed it meanwhile.',
  not_available: 'No tool of that name.',
  lock_upgrade_refused: 'A writer was started inside a call that holds a shared lock.',
  truncated_turn: 'The answer was cut off before this call was complete.',
  loop_blocked: 'The same call was made again and again without progress.',
  interrupted: 'The runner died while the call ran; whether it had an effect is unknown.',
  internal: 'A bug in Oneslot. The cause is in the log.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

export type ToolErrorDetails = {
  /** What was changed before it failed; absent means nothing was. */
  changed?: string;
  /** Which tool with which arguments comes next. */
  next?: string;
  /** For the page, never for the model. */
  data?: unknown;
  cause?: unknown;
};

/** A failure the model can act on. It never crosses the slot of its call. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ErrorCode;
  readonly changed: string | undefined;
  readonly next: string | undefined;
  readonly data: unknown;

  constructor(code: ErrorCode, message: string, details: ToolErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.changed = details.changed;
    this.next = details.next;
    this.data = details.data;
  }
}

export type HostErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'unavailable'
  | 'too_large'
  | 'internal';

/** A failure the user or the operator can act on: what was tried, why it failed, what to do next. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  readonly next: string | undefined;

  constructor(code: HostErrorCode, message: string, details: { next?: string; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.next = details.next;
  }
}
