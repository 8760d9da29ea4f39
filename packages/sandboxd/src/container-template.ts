/** The one body an engine ever gets for creating a container; engine and broker both build it here. */
export type ContainerProfile = 'session';

export type ContainerSpec = {
  profile: ContainerProfile;
  /** Digest or id of the image; never a name that could move. */
  image: string;
  installationId: string;
  sandboxId: string;
  volume: string;
  /** Milliseconds since 1970, UTC. */
  createdAt: number;
  /** Text of docker/seccomp.json; absent means the engine's default profile. */
  seccompProfile?: string;
  /** OCI runtime such as runsc; absent means the engine's default. */
  runtime?: string;
  /** Absolute paths inside the container that are to be absent; the defaults stay masked beside them. */
  maskedPaths?: readonly string[];
  limits?: Partial<ContainerLimits>;
};

export type ContainerLimits = { memoryBytes: number; cpus: number; pids: number };

export const schemaVersion = '1';
export const agentUser = '10001:10001';
export const agentSocket = '/tmp/oneslot/agent.sock';
/** Where the image keeps the bundled agent; the broker admits these very words and no others. */
export const agentCommand = [
  'node',
  '/opt/oneslot/sandboxd.mjs',
  '--isolation',
  'container',
  '--socket',
  agentSocket,
] as const;
export const bridgeCommand = ['node', '/opt/oneslot/bridge.mjs', agentSocket] as const;

export const defaultLimits: ContainerLimits = { memoryBytes: 4_294_967_296, cpus: 2, pids: 512 };

/**
 * What the engine masks by itself. It drops them as soon as a list is given, so they are given again.
 * Source: moby, oci/defaults.go; a test compares them with a plain container of the engine in use.
 */
export const defaultMaskedPaths = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
] as const;

export const labels = {
  installation: 'oneslot.installation',
  sandbox: 'oneslot.sandbox',
  profile: 'oneslot.profile',
  schema: 'oneslot.schema',
  created: 'oneslot.created',
} as const;

export type ContainerBody = ReturnType<typeof containerBody>;

/**
 * Body of the engine's container create. The main process is the agent; `none` is its network, the volume its only
 * lasting place. @throws TypeError for a masked path that is not absolute and plain
 */
export function containerBody(spec: ContainerSpec) {
  const limits = { ...defaultLimits, ...spec.limits };
  return {
    Image: spec.image,
    Cmd: [...agentCommand],
    User: agentUser,
    WorkingDir: '/workspace',
    Env: [
      'HOME=/tmp/home',
      'TMPDIR=/tmp',
      'LANG=C.UTF-8',
      'USER=agent',
      'LOGNAME=agent',
      'SHELL=/bin/bash',
      'npm_config_cache=/tmp/npm',
    ],
    Hostname: 'sandbox',
    Tty: false,
    OpenStdin: false,
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    Labels: containerLabels(spec),
    HostConfig: hostConfig(spec, limits),
  };
}

export function containerLabels(
  spec: Pick<ContainerSpec, 'installationId' | 'sandboxId' | 'profile' | 'createdAt'>,
): Record<string, string> {
  return {
    [labels.installation]: spec.installationId,
    [labels.sandbox]: spec.sandboxId,
    [labels.profile]: spec.profile,
    [labels.schema]: schemaVersion,
    [labels.created]: new Date(spec.createdAt).toISOString(),
  };
}

function hostConfig(spec: ContainerSpec, limits: ContainerLimits) {
  // Pages of every tmpfs count as memory of the container: together at most a quarter, or filling one kills it.
  const quarter = Math.floor(limits.memoryBytes / 4);
  const sharedBytes = Math.min(67_108_864, Math.floor(quarter / 4));
  const temporaryBytes = Math.min(805_306_368, quarter - sharedBytes);
  return {
    Init: true,
    ReadonlyRootfs: true,
    Privileged: false,
    CapDrop: ['ALL'],
    SecurityOpt: [
      'no-new-privileges',
      ...(spec.seccompProfile === undefined ? [] : [`seccomp=${spec.seccompProfile}`]),
    ],
    PidsLimit: limits.pids,
    Memory: limits.memoryBytes,
    MemorySwap: limits.memoryBytes,
    NanoCpus: Math.round(limits.cpus * 1e9),
    NetworkMode: 'none',
    IpcMode: 'private',
    Tmpfs: { '/tmp': `rw,exec,nosuid,nodev,size=${temporaryBytes},mode=1777` },
    ShmSize: sharedBytes,
    Ulimits: [
      { Name: 'nofile', Soft: 8_192, Hard: 8_192 },
      { Name: 'core', Soft: 0, Hard: 0 },
    ],
    Mounts: [{ Type: 'volume' as const, Source: spec.volume, Target: '/workspace', ReadOnly: false }],
    LogConfig: { Type: 'none', Config: {} },
    RestartPolicy: { Name: 'no' },
    MaskedPaths: [...defaultMaskedPaths, ...checkMasked(spec.maskedPaths ?? [])],
    ...(spec.runtime === undefined ? {} : { Runtime: spec.runtime }),
  };
}

/** The engine takes a relative path and masks it from the root, and a glob literally; both would be a surprise. */
function checkMasked(paths: readonly string[]): string[] {
  for (const path of paths) {
    if (!path.startsWith('/') || /[*?[\]\0]|(^|\/)\.\.?(\/|$)/.test(path))
      throw new TypeError(`"${path}" cannot be masked: give an absolute, plain path.`);
  }
  return [...paths];
}
