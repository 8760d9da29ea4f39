import { type ModelFailure, ToolError } from '@oneslot/core';
import { APIConnectionError, APIError } from 'openai';

const bodyChars = 300;

/** Whatever a provider's client threw, as the one error a turn understands: status and the head of the body. */
export function toUpstreamError(error: unknown, modelId: string, data: ModelFailure): ToolError {
  if (error instanceof ToolError) {
    const next = error.next === undefined ? {} : { next: error.next };
    return new ToolError(error.code, error.message, { ...next, data, cause: error });
  }
  const status = error instanceof APIError && error.status !== undefined ? `answered ${error.status}` : 'failed';
  return new ToolError('upstream_error', `The model ${modelId} ${status}: ${describe(error).slice(0, bodyChars)}`, {
    next: adviceFor(error),
    data,
    cause: error,
  });
}

function describe(error: unknown): string {
  if (error instanceof APIConnectionError) return `no connection (${rootCause(error)})`;
  return error instanceof Error ? error.message : String(error);
}

function rootCause(error: Error): string {
  const cause = error.cause;
  return cause instanceof Error ? rootCause(cause) : error.message;
}

function adviceFor(error: unknown): string {
  const status = statusOf(error);
  if (status === 401 || status === 403) return 'Check the API key of this provider on the models page.';
  if (status === 404) return 'Check the base URL and the model name on the models page.';
  if (status === 429) return 'Wait a little or choose another model, then send the message again.';
  return 'Send the message again, or test the connection on the models page.';
}

/** The HTTP status, also where a provider reports it inside an already open stream. */
export function statusOf(error: unknown): number | null {
  if (!(error instanceof APIError)) return null;
  if (typeof error.status === 'number') return error.status;
  const code = Number(error.code);
  return code >= 400 && code < 600 ? code : null;
}

/** A stream that broke off, or a failure a provider told within it, where no HTTP status says whose fault it is. */
export function isCut(error: unknown): boolean {
  return !(error instanceof APIError) || statusOf(error) === null;
}

/** Worth asking again: nothing reached the provider, or it said that it was busy or broken. */
export function isTransient(error: unknown): boolean {
  if (error instanceof APIConnectionError) return true;
  const status = statusOf(error);
  if (status === null) return !(error instanceof APIError) && !(error instanceof ToolError);
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
}

/** Milliseconds the provider asked us to wait, null where it did not say. */
export function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof APIError)) return null;
  const seconds = Number(error.headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
