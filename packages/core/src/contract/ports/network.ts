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
export type ModelPort = { complete(prompt: string, options: { maxTokens: number }): Promise<string> };
