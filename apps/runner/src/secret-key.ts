import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Secrets = {
  /** Signs the cookies of better-auth. */
  auth: string;
  csrf: Buffer;
  /** AES-256-GCM key of what is encrypted at rest. */
  encryption: Buffer;
  /** Public; names what belongs to this installation on a shared engine. */
  installationId: string;
};

/** Everything comes from one secret: ONESLOT_SECRET_KEY, else 32 random bytes kept in the data folder. */
export function readSecrets({ secretKey, dataDir }: { secretKey: string | null; dataDir: string }): Secrets {
  const root = secretKey === null ? readOrMake(dataDir) : Buffer.from(secretKey);
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', root, 'oneslot', purpose, bytes));
  return {
    auth: derive('auth', 32).toString('base64url'),
    csrf: derive('csrf', 32),
    encryption: derive('encryption', 32),
    installationId: derive('installation', 8).toString('hex'),
  };
}

function readOrMake(dataDir: string): Buffer {
  const file = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // Exclusive: of two starts in the same moment one writes and both read the same bytes.
    writeFileSync(file, randomBytes(32), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const bytes = readFileSync(file);
  if (bytes.length !== 32)
    throw new Error(`${file} does not hold 32 bytes. Restore it from a backup; without it stored keys cannot be read.`);
  return bytes;
}
