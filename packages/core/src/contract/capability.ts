import type { FileReader, FileWriter, GitReader, HttpClient, ModelPort, Shell } from './ports.ts';

/** What a tool may touch. The approval level and the ports in its context follow from these, never from a flag. */
export const capabilities = [
  'read_only',
  'writes_files',
  'executes_code',
  'network',
  'requires_approval',
  'sandboxable',
  'external_effect',
  'spends_tokens',
] as const;

export type Capability = (typeof capabilities)[number];

/** The ports each capability unlocks in a tool's context. A capability that is not listed unlocks nothing. */
export type CapabilityPorts = {
  read_only: { files: FileReader; git: GitReader };
  writes_files: { files: FileWriter };
  executes_code: { shell: Shell };
  network: { http: HttpClient };
  spends_tokens: { model: ModelPort };
};

/** The same table at run time: which port names a capability unlocks. */
export const portsOfCapability: { readonly [C in Capability]: readonly string[] } = {
  read_only: ['files', 'git'],
  writes_files: ['files'],
  executes_code: ['shell'],
  network: ['http'],
  spends_tokens: ['model'],
  requires_approval: [],
  sandboxable: [],
  external_effect: [],
};
