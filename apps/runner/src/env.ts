import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostError } from '@oneslot/core';
import { z } from 'zod';
import { type EngineName, engineNames } from './sandbox/engine.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

const port = z.coerce.number().int().min(1).max(65_535);
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const schema = z.object({
  ONESLOT_PORT: port.default(3_000),
  ONESLOT_HOST: z.string().min(1).default('127.0.0.1'),
  ONESLOT_PUBLIC_URL: httpUrl.optional(),
  ONESLOT_DATA_DIR: z.string().min(1).optional(),
  ONESLOT_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }).optional(),
  ONESLOT_ENGINE: z.enum(['auto', ...engineNames]).default('auto'),
  ONESLOT_SECRET_KEY: z
    .string()
    .min(32, 'must hold at least 32 characters; make one with: openssl rand -base64 32')
    .refine(
      (key) => !/example|change[-_ ]?me|secret[-_ ]?key|^(.)\1*$/i.test(key),
      'is the example of some document; make your own',
    )
    .optional(),
  ONESLOT_WEB_URL: httpUrl.optional(),
  ONESLOT_RUNNER_URL: httpUrl.optional(),
  DOCKER_HOST: z.string().min(1).optional(),
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: httpUrl.optional(),
  ONESLOT_MODEL: z.string().min(1).optional(),
  ONESLOT_OUTPUT_DAYS: z.coerce.number().int().min(1).max(3_650).default(7),
  ONESLOT_OUTPUT_QUOTA_MIB: z.coerce.number().int().min(64).max(1_048_576).default(2_048),
  NODE_ENV: z.string().optional(),
  PATH: z.string().optional(),
});

export type Env = {
  port: number;
  host: string;
  /** What people type; without a trailing slash. */
  publicUrl: string;
  /** Where the web process reaches this one, when that is another address. */
  runnerUrl: string | null;
  webUrl: string | null;
  dataDir: string;
  databaseUrl: string | null;
  engine: 'auto' | EngineName;
  dockerHost: string | null;
  secretKey: string | null;
  /** A first provider named by the environment; its key is never written down. */
  environmentProvider: { baseUrl: string; apiKey: string | null; models: string[] } | null;
  /** How long stored outputs are kept, and how much room they take, where an organization chose nothing else. */
  outputs: { retentionDays: number; quotaMib: number };
  isDevelopment: boolean;
  rootDir: string;
  path: string;
};

/** The only reader of process.env. @throws HostError invalid, naming every variable that is wrong */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  // An empty variable is what compose files leave behind: it means absent.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw invalid(parsed.error);
  const value = parsed.data;
  return {
    port: value.ONESLOT_PORT,
    host: value.ONESLOT_HOST,
    publicUrl: (value.ONESLOT_PUBLIC_URL ?? `http://localhost:${value.ONESLOT_PORT}`).replace(/\/+$/, ''),
    runnerUrl: value.ONESLOT_RUNNER_URL ?? null,
    webUrl: value.ONESLOT_WEB_URL ?? null,
    dataDir: resolve(value.ONESLOT_DATA_DIR ?? `${checkout}/.oneslot`),
    databaseUrl: value.ONESLOT_DATABASE_URL ?? null,
    engine: value.ONESLOT_ENGINE,
    dockerHost: value.DOCKER_HOST ?? null,
    secretKey: value.ONESLOT_SECRET_KEY ?? null,
    environmentProvider: providerOf(value),
    outputs: { retentionDays: value.ONESLOT_OUTPUT_DAYS, quotaMib: value.ONESLOT_OUTPUT_QUOTA_MIB },
    isDevelopment: value.NODE_ENV === 'development',
    rootDir: checkout,
    path: value.PATH ?? '',
  };
}

/** A key alone is enough for the public service; an address alone is enough for a local one. */
function providerOf(value: z.infer<typeof schema>): Env['environmentProvider'] {
  if (!value.ONESLOT_MODEL || !(value.OPENAI_API_KEY || value.OPENAI_BASE_URL)) return null;
  return {
    baseUrl: value.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
    apiKey: value.OPENAI_API_KEY ?? null,
    models: value.ONESLOT_MODEL.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  };
}

function invalid(error: z.ZodError): HostError {
  const lines = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  return new HostError('invalid', `The environment is not usable:\n${lines.join('\n')}`, {
    next: 'Correct or remove these variables and start again.',
  });
}
