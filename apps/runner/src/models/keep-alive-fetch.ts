import type { ClientOptions } from 'openai';
import { Agent, fetch } from 'undici';

export type Fetch = NonNullable<ClientOptions['fetch']>;

/** A tool may run for minutes between two requests; a fresh TLS handshake would then be paid in every step. */
const keepAliveMs = 10 * 60_000;
/** A provider may think in silence for long, but not forever. */
const silentMs = 10 * 60_000;

/** The `fetch` of every model client: connections stay open between the steps of a turn. */
export function createKeepAliveFetch(): { fetch: Fetch; close(): Promise<void> } {
  const dispatcher = new Agent({
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: silentMs,
    bodyTimeout: silentMs,
  });
  // undici's own types and the ambient DOM-like ones describe the same objects under two names.
  const keepAlive = ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as unknown as Fetch;
  return { fetch: keepAlive, close: () => dispatcher.destroy() };
}
