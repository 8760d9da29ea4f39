/** The product's API as a program uses it: tRPC over HTTP with superjson, the cookie and the CSRF token kept. */
export type ApiClient = {
  query: (path: string, input?: object) => Promise<unknown>;
  mutate: (path: string, input: object) => Promise<unknown>;
  putArchive: (sessionId: string, tar: Uint8Array<ArrayBuffer>) => Promise<void>;
  signInBySetup: (setupLink: string) => Promise<void>;
};

const owner = {
  name: 'Bench',
  email: 'bench@example.invalid',
  password: 'a-long-enough-password',
  organizationName: 'Bench',
};

export function createApiClient(url: string): ApiClient {
  const headers: Record<string, string> = { origin: url };
  const call = async (path: string, init: RequestInit): Promise<unknown> => {
    const response = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } });
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    if (cookies.length > 0) headers.cookie = cookies.join('; ');
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return text === '' ? null : JSON.parse(text);
  };
  const query = async (path: string, input?: object): Promise<unknown> => {
    const search = input ? `?input=${encodeURIComponent(JSON.stringify({ json: input }))}` : '';
    return unwrap(await call(`/api/trpc/${path}${search}`, { method: 'GET' }));
  };
  const mutate = async (path: string, input: object): Promise<unknown> => {
    const init = {
      method: 'POST',
      body: JSON.stringify({ json: input }),
      headers: { 'content-type': 'application/json' },
    };
    return unwrap(await call(`/api/trpc/${path}`, init));
  };
  const putArchive = async (sessionId: string, tar: Uint8Array<ArrayBuffer>): Promise<void> => {
    const init = { method: 'PUT', body: tar, headers: { 'content-type': 'application/x-tar' } };
    await call(`/api/sessions/${sessionId}/archive`, init);
  };
  const signInBySetup = async (setupLink: string): Promise<void> => {
    await mutate('setup.claim', { token: new URL(setupLink).searchParams.get('token') ?? '', ...owner });
    headers['x-csrf-token'] = field(await query('me'), 'csrfToken');
  };
  return { query, mutate, putArchive, signInBySetup };
}

function unwrap(answer: unknown): unknown {
  const { result } = answer as { result: { data: { json: unknown } } };
  return result.data.json;
}

/** A text field of an answer. */
export function field(answer: unknown, name: string): string {
  const value = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
  if (typeof value !== 'string') throw new Error(`The answer has no text "${name}": ${JSON.stringify(answer)}`);
  return value;
}
