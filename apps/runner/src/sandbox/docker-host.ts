import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '@oneslot/core';
import Docker from 'dockerode';

export type DockerHost = {
  /** As DOCKER_HOST spells it; absent means the default socket. */
  dockerHost?: string;
  /** Folder with ca.pem, cert.pem and key.pem for tcp with TLS. */
  certificates?: string;
};

export const defaultDockerHost = 'unix:///var/run/docker.sock';

/** @throws HostError invalid for an address this client does not speak */
export function connectDocker(
  { dockerHost = defaultDockerHost, certificates }: DockerHost,
  timeoutMs?: number,
): Docker {
  // `host: undefined` is said aloud: without it the library mixes in what it reads from the environment itself.
  const timeout = timeoutMs;
  if (dockerHost.startsWith('unix://')) {
    return new Docker({ socketPath: dockerHost.slice('unix://'.length), host: undefined, timeout });
  }
  const url = URL.parse(dockerHost.includes('//') ? dockerHost : `tcp://${dockerHost}`);
  if (url === null || !['tcp:', 'http:', 'https:'].includes(url.protocol)) {
    throw new HostError('invalid', `DOCKER_HOST "${dockerHost}" is neither unix:// nor tcp://.`, {
      next: 'Use unix:///path/to/docker.sock, or forward a remote engine to a local socket with ssh -L.',
    });
  }
  const secure = certificates !== undefined || url.protocol === 'https:' || url.port === '2376';
  const read = (name: string) => (certificates === undefined ? undefined : readFileSync(join(certificates, name)));
  return new Docker({
    protocol: secure ? 'https' : 'http',
    host: url.hostname,
    port: url.port || (secure ? '2376' : '2375'),
    ca: read('ca.pem'),
    cert: read('cert.pem'),
    key: read('key.pem'),
    timeout,
  });
}

/** Null when the engine answers in time, else why it does not, in words for people. */
export async function whyNoDocker(host: DockerHost, limitMs = 2_000): Promise<string | null> {
  try {
    await connectDocker(host, limitMs).ping();
    return null;
  } catch (error) {
    return explainEngineError(error, limitMs);
  }
}

function explainEngineError(error: unknown, limitMs: number): string {
  const code = errorField(error, 'code');
  if (code === 'ENOENT') return 'there is no such socket';
  if (code === 'EACCES') return 'this user may not use the socket (on Linux: join the group docker)';
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'ECONNRESET') return `no answer within ${limitMs / 1000} s`;
  return messageOf(error);
}

export function errorField(error: unknown, name: 'code' | 'reason'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}

export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, 'statusCode');
  return typeof value === 'number' ? value : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
