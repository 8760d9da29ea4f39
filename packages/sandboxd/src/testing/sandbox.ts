import type { SandboxClient } from '../client.ts';

/** The client of the sandbox under test, filled before the first case runs. */
export type Sandbox = { readonly client: SandboxClient };
