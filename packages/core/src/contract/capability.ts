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

/** Which port names a capability unlocks; their types stand in `CapabilityPorts`. */
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
