import { describe, expect, it } from 'vitest';
import { agentCommand, containerBody, defaultMaskedPaths } from './container-template.ts';

const spec = {
  profile: 'session' as const,
  image: 'sha256:abc',
  installationId: 'i',
  sandboxId: 's',
  volume: 'v',
  createdAt: 0,
};

describe('containerBody', () => {
  it('is hardened in every respect', () => {
    const body = containerBody({ ...spec, seccompProfile: '{}' });
    expect(body).toMatchObject({ User: '10001:10001', Cmd: [...agentCommand], WorkingDir: '/workspace' });
    expect(body.HostConfig).toMatchObject({
      Init: true,
      ReadonlyRootfs: true,
      Privileged: false,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', 'seccomp={}'],
      PidsLimit: 512,
      Memory: 4_294_967_296,
      MemorySwap: 4_294_967_296,
      NanoCpus: 2_000_000_000,
      NetworkMode: 'none',
      LogConfig: { Type: 'none' },
      RestartPolicy: { Name: 'no' },
      Mounts: [{ Type: 'volume', Source: 'v', Target: '/workspace' }],
    });
    expect(body.HostConfig.Tmpfs['/tmp']).toMatch(/(^|,)exec(,|$)/);
    expect(JSON.stringify(body)).not.toMatch(/docker\.sock|Binds|CapAdd|Devices/);
  });

  it.each([4_294_967_296, 1_073_741_824, 268_435_456])(
    'keeps all tmpfs within a quarter of %i bytes',
    (memoryBytes) => {
      const { HostConfig } = containerBody({ ...spec, limits: { memoryBytes } });
      const temporary = Number(/size=(\d+)/.exec(HostConfig.Tmpfs['/tmp'])?.[1]);
      expect(temporary + HostConfig.ShmSize).toBeLessThanOrEqual(memoryBytes / 4);
      expect(HostConfig.MemorySwap).toBe(HostConfig.Memory);
    },
  );

  it('adds masked paths to the defaults and refuses those the engine would misread', () => {
    expect(containerBody({ ...spec, maskedPaths: ['/usr/bin/curl'] }).HostConfig.MaskedPaths).toEqual([
      ...defaultMaskedPaths,
      '/usr/bin/curl',
    ]);
    for (const path of ['usr/bin/curl', '/usr/bin/*', '/usr/../etc', ''])
      expect(() => containerBody({ ...spec, maskedPaths: [path] })).toThrow(TypeError);
  });

  it('carries the labels by which it is found again', () => {
    expect(containerBody(spec).Labels).toEqual({
      'oneslot.installation': 'i',
      'oneslot.sandbox': 's',
      'oneslot.profile': 'session',
      'oneslot.schema': '1',
      'oneslot.created': '1970-01-01T00:00:00.000Z',
    });
  });
});
