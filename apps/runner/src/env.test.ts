import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allowedOrigins } from './allowed-origins.ts';
import { readEnv } from './env.ts';
import { readSecrets } from './secret-key.ts';

describe('readEnv', () => {
  test('has a default for everything', () => {
    expect(readEnv({})).toMatchObject({
      port: 3_000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      engine: 'auto',
      webUrl: null,
      environmentProvider: null,
      outputs: { retentionDays: 7, quotaMib: 2_048 },
    });
    expect(readEnv({ ONESLOT_PORT: '' }).port).toBe(3_000);
  });

  test('names every variable that is wrong', () => {
    const wrong = {
      ONESLOT_PORT: '0',
      ONESLOT_ENGINE: 'vm',
      ONESLOT_DATABASE_URL: 'mysql://x',
      ONESLOT_SECRET_KEY: 'short',
    };
    expect(() => readEnv(wrong)).toThrow(
      /ONESLOT_PORT[\s\S]*ONESLOT_DATABASE_URL[\s\S]*ONESLOT_ENGINE[\s\S]*ONESLOT_SECRET_KEY/,
    );
  });

  test.each(['change-me-change-me-change-me-change-me', 'a'.repeat(40), 'example-example-example-example-1234'])(
    'security 111: refuses the example secret %s',
    (key) => {
      expect(() => readEnv({ ONESLOT_SECRET_KEY: key })).toThrow(/example of some document/);
    },
  );

  test('a model with a key or an address makes a provider', () => {
    expect(readEnv({ OPENAI_API_KEY: 'k' }).environmentProvider).toBeNull();
    expect(readEnv({ OPENAI_API_KEY: 'k', ONESLOT_MODEL: 'a, b' }).environmentProvider).toEqual({
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'k',
      models: ['a', 'b'],
    });
    expect(
      readEnv({ OPENAI_BASE_URL: 'http://localhost:1/v1', ONESLOT_MODEL: 'a' }).environmentProvider?.apiKey,
    ).toBeNull();
  });
});

describe('allowedOrigins', () => {
  test('on loopback all its names with that port', () => {
    const { isHost, origins } = allowedOrigins({ publicUrl: 'http://localhost:3000', port: 3_000, runnerUrl: null });
    expect(origins).toEqual(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']);
    expect(['localhost:3000', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000'].every(isHost)).toBe(true);
    expect([undefined, 'localhost', 'localhost:3001', 'evil.test:3000'].some(isHost)).toBe(false);
  });

  test('behind a name only that name is an origin; the way from the web process stays open as a host', () => {
    const allowed = allowedOrigins({
      publicUrl: 'https://oneslot.acme.test',
      port: 3_000,
      runnerUrl: 'http://runner:3000',
    });
    expect(allowed.origins).toEqual(['https://oneslot.acme.test']);
    expect(['oneslot.acme.test', 'runner:3000', '127.0.0.1:3000'].every(allowed.isHost)).toBe(true);
    expect(
      ['http://oneslot.acme.test', 'https://oneslot.acme.test.evil.test', 'http://localhost:3000', 'null'].some(
        allowed.isOrigin,
      ),
    ).toBe(false);
  });
});

describe('readSecrets', () => {
  test('makes 32 bytes once, for the owner alone, and derives the same from them', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'oneslot-secret-'));
    const first = readSecrets({ secretKey: null, dataDir });
    expect(readSecrets({ secretKey: null, dataDir })).toEqual(first);
    const file = join(dataDir, 'secret-key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file)).toHaveLength(32);
    expect(first.encryption.equals(first.csrf)).toBe(false);
    expect(first.encryption).toHaveLength(32);
    writeFileSync(file, 'cut');
    expect(() => readSecrets({ secretKey: null, dataDir })).toThrow(/32 bytes/);
    expect(readSecrets({ secretKey: 'k'.repeat(32), dataDir }).installationId).not.toBe(first.installationId);
    rmSync(dataDir, { recursive: true });
  });
});
