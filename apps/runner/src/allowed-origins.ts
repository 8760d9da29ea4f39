export type AllowedOrigins = {
  isHost(host: string | undefined): boolean;
  isOrigin(origin: string | undefined): boolean;
  origins: string[];
};

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Exact lists, made once: a name that merely resolves to this machine, or looks like ours, is none of ours. */
export function allowedOrigins(options: { publicUrl: string; port: number; runnerUrl: string | null }): AllowedOrigins {
  const publicUrl = new URL(options.publicUrl);
  const isLoopback = loopbackNames.includes(publicUrl.hostname);
  const names = isLoopback ? loopbackNames : [publicUrl.hostname];
  const origins = new Set(names.map((name) => new URL(`${publicUrl.protocol}//${name}${portOf(publicUrl)}`).origin));
  // The web process and health probes come over loopback, or by the name compose gives this process.
  const hosts = new Set([
    ...[...origins].map((origin) => new URL(origin).host),
    ...loopbackNames.map((name) => `${name}:${options.port}`),
    ...(options.runnerUrl ? [new URL(options.runnerUrl).host] : []),
  ]);
  return {
    isHost: (host) => host !== undefined && hosts.has(host.toLowerCase()),
    isOrigin: (origin) => origin !== undefined && origins.has(origin),
    origins: [...origins],
  };
}

function portOf(url: URL): string {
  return url.port === '' ? '' : `:${url.port}`;
}
