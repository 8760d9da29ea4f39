export type HttpRequest = {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string;
  limitBytes: number;
  timeoutMs: number;
};
export type HttpResponse = {
  url: string;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  cut: boolean;
};
export type HttpClient = { request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> };

/** The session's cheap model; every call is charged to its budget. */
export type ModelPort = {
  /** As people know it. */
  name: string;
  /** Stops at about `maxTokens`. @throws ToolError upstream_error, cancelled */
  complete(prompt: string, options: { maxTokens: number; signal: AbortSignal }): Promise<string>;
};

export type SummaryRequest = {
  text: string;
  tool: string;
  /** Of the whole, of which `text` may be a part. */
  bytes: number;
};
export type Summary = { kind: 'summary'; label: string; text: string } | { kind: 'failed'; reason: string };
/** Null where the organization names no model for it. */
export type Summaries = { summarize(request: SummaryRequest): Promise<Summary | null> };
