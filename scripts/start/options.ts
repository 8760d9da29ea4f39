import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inRoot } from '../bootstrap/paths.ts';
import { SetupError } from '../bootstrap/setup-error.ts';

export const engines = ['auto', 'docker', 'bubblewrap', 'simulated', 'local-unsafe'] as const;
export type Options = { help: boolean; port: number; host: string; dataDir: string; engine: string; open: boolean };

export const help = `Usage: npm start -- [options]

Starts Oneslot: the runner (the one public port), the web app behind it and, unless told
otherwise, an embedded database in the data folder. The first start installs and builds.

  --port <number>   port to listen on                        ONESLOT_PORT      3000
  --host <address>  address to listen on                     ONESLOT_HOST      127.0.0.1
  --data <folder>   where everything durable lives           ONESLOT_DATA_DIR  .oneslot/
  --engine <name>   auto, docker, bubblewrap, simulated      ONESLOT_ENGINE    auto
                    or local-unsafe (no isolation at all)
  --open            open the page in the browser
  --help            this text

More by environment: ONESLOT_PUBLIC_URL (the address people use), ONESLOT_DATABASE_URL (a PostgreSQL
server instead of the embedded one), ONESLOT_SECRET_KEY, DOCKER_HOST, and for a first model
OPENAI_API_KEY, OPENAI_BASE_URL, ONESLOT_MODEL. A flag wins over its variable.`;

/** Flags first, then the environment, then the defaults. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const flags = parseFlags(args);
  const engine = flags.engine ?? env.ONESLOT_ENGINE ?? 'auto';
  if (!engines.some((known) => known === engine)) {
    throw new SetupError(`There is no engine "${engine}".`, `Use one of ${engines.join(', ')}.`);
  }
  return {
    help: flags.help ?? false,
    port: readPort(flags.port ?? env.ONESLOT_PORT ?? '3000'),
    host: flags.host ?? env.ONESLOT_HOST ?? '127.0.0.1',
    dataDir: resolve(flags.data ?? env.ONESLOT_DATA_DIR ?? inRoot('.oneslot')),
    engine,
    open: flags.open ?? false,
  };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        port: { type: 'string', short: 'p' },
        host: { type: 'string' },
        data: { type: 'string' },
        engine: { type: 'string' },
        open: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SetupError(`These options are not understood: ${why}`, 'See npm start -- --help.', error);
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SetupError(`"${text}" is not a port.`, 'Give a number from 1 to 65535, for example --port 3000.');
}
