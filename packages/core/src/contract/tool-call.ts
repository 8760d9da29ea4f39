import type { ErrorCode } from '../errors.ts';

/** A call as the model made it: name and arguments may still be damaged. */
export type ToolCall = { callId: string; name: string; argumentsText: string };

/** Content that is not text and rides beside it. `base64` holds the bytes. */
export type ResultPart = { kind: 'image'; mediaType: string; base64: string };

/**
 * Bytes of one output stream of a finished command. `read` may be called more than once and starts at byte 0;
 * once it has ended, `lostBytes` tells how many were gone before they could be read.
 */
export type OutputStream = {
  name: 'stdout' | 'stderr';
  bytes: number;
  read(): AsyncIterable<Uint8Array>;
  lostBytes?(): number;
};

/**
 * What `execute` returns. A plain string is the text for the model. `streams` follow the text and are cut
 * and stored when the call settles; `ok: false` marks a failure that is a finding (a non-zero exit).
 */
export type ToolOutput =
  | string
  | {
      content: string;
      ok?: boolean;
      streams?: readonly OutputStream[];
      data?: unknown;
      /** The structured value that `content` spells out: too long to be shown, it is handed over as a handle. */
      value?: unknown;
      /** What is stored instead of `content`, which shows only a part of it: the whole output of a command that ended. */
      whole?: readonly OutputStream[];
      parts?: readonly ResultPart[];
      warnings?: readonly string[];
      /** The work goes on: its text is cut like a command's and not stored, because the end will be. */
      running?: boolean;
      /** Set where the text came from outside although the tool reaches nothing: the place it came from. */
      origin?: string;
      /** The tool's own last line, such as the next page to ask for; never cut, outside the wrapping. */
      footer?: string;
    };

/** What the model reads, in one form for success and failure. `content` is never empty; `tookMs` is wall time. */
export type ToolResult = {
  callId: string;
  ok: boolean;
  code: ErrorCode | null;
  content: string;
  data?: unknown;
  parts: readonly ResultPart[];
  warnings: readonly string[];
  truncated: boolean;
  outputRef: string | null;
  untrusted: boolean;
  tookMs: number;
};
