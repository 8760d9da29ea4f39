import type { SandboxClient } from '@oneslot/sandboxd';
import { defaultMaskedPaths } from '@oneslot/sandboxd/container-template';
import type Docker from 'dockerode';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../../../scripts/has.ts';
import type { DockerEngine } from '../src/sandbox/docker.ts';
import { createSessionSandboxes, type SessionSandboxes } from '../src/sandbox/session-sandboxes.ts';
import {
  dockerClient,
  dockerEngine,
  installationId,
  leftovers,
  memoryRows,
  readText,
  recordChanges,
  removeLeftovers,
  runIn,
  writeText,
} from './engines-fixture.ts';

/** A client that remembers the path of every request. */
function countingDocker(): { docker: Docker; paths: string[] } {
  const docker = dockerClient();
  const paths: string[] = [];
  const dial = docker.modem.dial.bind(docker.modem);
  docker.modem.dial = (options, callback) => {
    paths.push(`${options.method} ${options.path}`);
    dial(options, callback);
  };
  return { docker, paths };
}

describe.runIf(has('docker'))('the docker engine', { timeout: 60_000 }, () => {
  const { docker, paths } = countingDocker();
  const store = memoryRows();
  const record = recordChanges();
  let engine: DockerEngine;
  let sandboxes: SessionSandboxes;
  let client: SandboxClient;

  const sessionsOver = (options: { poolSize?: number; epoch?: number } = {}) =>
    createSessionSandboxes({
      engine,
      reason: 'test',
      store,
      onChange: record.onChange,
      poolSize: options.poolSize ?? 0,
      ...(options.epoch === undefined ? {} : { epochOf: () => options.epoch ?? 0 }),
    });

  beforeAll(async () => {
    engine = await dockerEngine(docker);
    sandboxes = sessionsOver();
    client = await sandboxes.open('main');
  }, 300_000);
  afterEach(async () => {
    client = await sandboxes.open('main');
  });
  afterAll(async () => {
    await sandboxes.remove('main');
    await sandboxes.close();
    const left = await leftovers(docker);
    await removeLeftovers(docker);
    expect(left).toEqual([]);
  });

  describe('a running sandbox', () => {
    it('is hardened in every respect', async () => {
      const { Config, HostConfig, Mounts, NetworkSettings } = await docker
        .getContainer(store.rows.get('main')?.ref ?? '')
        .inspect();
      expect(Config).toMatchObject({ User: '10001:10001', Tty: false, Hostname: 'sandbox' });
      expect(HostConfig).toMatchObject({
        Privileged: false,
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        CapAdd: null,
        NetworkMode: 'none',
        IpcMode: 'private',
        PidMode: '',
        UTSMode: '',
        Init: true,
        Binds: null,
        Devices: null,
        RestartPolicy: { Name: 'no' },
        LogConfig: { Type: 'none' },
        NanoCpus: 2e9,
        Memory: 4_294_967_296,
        MemorySwap: 4_294_967_296,
        PidsLimit: 512,
      });
      expect(HostConfig.SecurityOpt?.[0]).toBe('no-new-privileges');
      expect(HostConfig.SecurityOpt?.[1]).toMatch(/^seccomp=\{/);
      expect(HostConfig.Ulimits).toContainEqual({ Name: 'core', Soft: 0, Hard: 0 });
      expect(HostConfig.Ulimits).toContainEqual({ Name: 'nofile', Soft: 8192, Hard: 8192 });
      expect(Object.keys(NetworkSettings.Networks)).toEqual(['none']);
      expect(Mounts).toMatchObject([{ Type: 'volume', Destination: '/workspace' }]);
      expect(Config.Labels).toMatchObject({
        'oneslot.installation': installationId,
        'oneslot.sandbox': expect.any(String),
        'oneslot.profile': 'session',
        'oneslot.schema': '1',
        'oneslot.created': expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect(Config.Env?.join('\n')).not.toMatch(/KEY|TOKEN|SECRET|PASSWORD/i);
    });

    it('has no rights within', async () => {
      const { stdout } = await runIn(
        client,
        'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "[:blank:]"',
      );
      expect(stdout.split('\n').slice(0, 5)).toEqual([
        '10001',
        'CapEff:0000000000000000',
        'CapBnd:0000000000000000',
        'NoNewPrivs:1',
        'Seccomp:2',
      ]);
    });

    it('can write to its files and temporary folders alone', async () => {
      const places = [
        '/etc/x',
        '/usr/bin/x',
        '/opt/oneslot/sandboxd.mjs',
        '/proc/sys/kernel/core_pattern',
        '/sys/fs/cgroup/x',
      ];
      for (const place of places) expect((await runIn(client, `echo x > ${place}`)).exitCode, place).not.toBe(0);
      for (const place of ['/workspace/x', '/tmp/x', '/dev/shm/x'])
        expect((await runIn(client, `echo x > ${place}`)).exitCode, place).toBe(0);
    });

    it('has no setuid program, no engine socket and no network', async () => {
      expect((await runIn(client, 'find / -xdev -perm /6000 -type f 2>/dev/null')).stdout).toBe('');
      expect((await runIn(client, 'ls /var/run/docker.sock /run/docker.sock')).exitCode).not.toBe(0);
      const { stdout } = await runIn(client, 'ls /sys/class/net; cat /proc/net/route | tail -n +2');
      expect(stdout.trim()).toBe('lo');
      const reach = await runIn(client, 'timeout 2 bash -c "echo > /dev/tcp/169.254.169.254/80"; echo rc $?');
      expect(reach.stdout).not.toMatch(/rc 0/);
    });

    it('refuses dangerous system calls and still runs real programs', async () => {
      await writeText(client, 'calls.py', systemCallProbe);
      const { stdout, exitCode } = await runIn(client, 'python3 calls.py');
      expect(exitCode).toBe(0);
      expect(stdout.trim().split('\n')).toEqual(['all refused']);
      const real =
        'git init -q /tmp/r && cd /tmp/r && node -e "new (require(\'worker_threads\').Worker)(\'1\',{eval:true})" && python3 -c "import multiprocessing as m; m.Pool(2).map(abs,[1])" && echo fine';
      expect((await runIn(client, real, 20_000)).stdout).toBe('fine\n');
    });

    it('masks what the engine masks by itself', async () => {
      const plain = await docker.createContainer({
        Image: 'node:24-bookworm-slim',
        Labels: { 'oneslot.installation': installationId },
      });
      const { HostConfig } = await plain.inspect();
      await plain.remove({ force: true });
      const masked: unknown = Reflect.get(HostConfig, 'MaskedPaths');
      expect([...defaultMaskedPaths].sort()).toEqual(Array.isArray(masked) ? masked.sort() : masked);
    });
  });

  describe('its calls', () => {
    it('use one exec per connection, however many they are', async () => {
      await writeText(client, 'four-kilobytes', 'x'.repeat(4_096));
      const before = paths.length;
      await Promise.all(Array.from({ length: 60 }, () => client.files.read('four-kilobytes')));
      for (let call = 0; call < 40; call += 1) await runIn(client, 'true');
      expect(paths.slice(before)).toEqual([]);
      expect(paths.filter((path) => /containers\/.*\/exec/.test(path))).toHaveLength(1);
    });

    it('carry every byte both ways', async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 256));
      await client.files.write('bytes', bytes, { expectedSha256: null });
      expect(Buffer.from((await client.files.read('bytes')).bytes).equals(bytes)).toBe(true);
      const { stdout } = await runIn(client, 'head -c 5000000 /dev/zero | tr "\\0" a');
      expect(stdout.length).toBe(5_000_000);
    });

    it('that are cancelled leave nothing running', async () => {
      const stopping = new AbortController();
      const stubborn = `trap '' TERM; (setsid bash -c "trap '' TERM; exec -a leftover sleep 300" &) ; sleep 300`;
      const running = client.commands.run(
        { command: stubborn, timeoutMs: 60_000, background: false, tty: false },
        { signal: stopping.signal },
      );
      const outcome = running.catch((error: unknown) => error);
      await expect
        .poll(async () => (await runIn(client, 'pgrep -c -f "leftover|sleep 300"')).stdout.trim(), { timeout: 5_000 })
        .not.toBe('0');
      stopping.abort();
      await outcome;
      await expect
        .poll(async () => (await runIn(client, 'ps -eo args | grep -c "[l]eftover\\|[s]leep 300"')).stdout.trim(), {
          timeout: 5_000,
        })
        .toBe('0');
    });

    it('survive a fork bomb', async () => {
      const bomb = client.commands.run(
        { command: 'b(){ b|b& }; b', timeoutMs: 2_000, background: false, tty: false },
        { signal: AbortSignal.timeout(3_000) },
      );
      await bomb.catch((error: unknown) => error);
      await expect
        .poll(async () => (await runIn(client, 'echo fine').catch(() => null))?.stdout, { timeout: 20_000 })
        .toBe('fine\n');
    });
  });

  describe('a lost connection', () => {
    it('fails open calls as sandbox_lost and comes back to the same agent', async () => {
      const { bootId } = client.hello;
      await writeText(client, 'before.txt', 'written before');
      const lost = client.commands.run(
        {
          command: 'sleep 1; kill -9 $(pgrep -f bridge.mjs); sleep 60',
          timeoutMs: 60_000,
          background: false,
          tty: false,
        },
        {},
      );
      await expect(lost).rejects.toMatchObject({ code: 'sandbox_lost' });
      await expect.poll(() => record.phases('main')).toContain('lost');
      client = await sandboxes.open('main');
      expect(client.hello.bootId).toBe(bootId);
      expect(await readText(client, 'before.txt')).toBe('written before');
    });

    it('with a killed agent starts again with the files', async () => {
      const { bootId } = client.hello;
      await writeText(client, 'survives.txt', 'yes');
      await expect(runIn(client, 'kill -9 -1; sleep 60')).rejects.toMatchObject({ code: 'sandbox_lost' });
      client = await sandboxes.open('main');
      expect(client.hello.bootId).not.toBe(bootId);
      expect(await readText(client, 'survives.txt')).toBe('yes');
    });

    it('a newer runner takes over and the older one is turned away', async () => {
      const { bootId } = client.hello;
      const newer = sessionsOver({ epoch: Date.now() + 60_000 });
      const taken = await newer.open('main');
      expect(taken.hello.bootId).toBe(bootId);
      const answer = () =>
        client.files.stat('.').then(
          () => 'answered',
          (error: Error) => error.message,
        );
      await expect.poll(answer, { timeout: 10_000 }).not.toBe('answered');
      const refused = await sandboxes.open('main').catch((error: unknown) => error);
      await newer.stop('main');
      expect(refused).toMatchObject({ code: 'conflict' });
    });
  });

  describe('the pool and the reaper', () => {
    it('hand a warm sandbox to a new session and take the rest away at the end', async () => {
      const pooled = sessionsOver({ poolSize: 1 });
      await expect.poll(async () => (await leftovers(docker)).length, { timeout: 20_000 }).toBeGreaterThan(2);
      await expect
        .poll(
          async () => {
            const sessionId = `warm-${record.changes.length}`;
            const opened = await pooled.open(sessionId);
            await opened.ping();
            const phases = record.phases(sessionId);
            await pooled.remove(sessionId);
            return phases;
          },
          { timeout: 25_000, interval: 2_000 },
        )
        .toEqual(['ready']);
      await pooled.close();
      expect(await engine.list()).toHaveLength(1);
    });
  });
});

const systemCallProbe = `
import ctypes, errno, os, socket
libc = ctypes.CDLL(None, use_errno=True)
calls = dict(io_uring_setup=425, ptrace=101, keyctl=250, add_key=248, request_key=249, userfaultfd=323, bpf=321,
  perf_event_open=298, mount=165, umount2=166, move_mount=429, fsopen=430, open_tree=428, pivot_root=155, unshare=272,
  setns=308, kexec_load=246, init_module=175, finit_module=313, delete_module=176, open_by_handle_at=304, reboot=169,
  swapon=167, quotactl=179, acct=163, settimeofday=164, clock_settime=227, process_vm_readv=310, pidfd_getfd=438,
  chroot=161, iopl=172, syslog=103, sethostname=170, clone3=435) if os.uname().machine == 'x86_64' else {}
bad = []
for name, number in calls.items():
    ctypes.set_errno(0)
    result = libc.syscall(number, 0x10000000 if name == 'unshare' else 0, 0, 0, 0, 0, 0)
    if result != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS): bad.append(name)
if calls:
    child = libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)
    if child == 0: os._exit(0)
    if child != -1: bad.append('clone with a new user namespace')
for family in (40, 17, 38, 29):
    try:
        socket.socket(family, socket.SOCK_DGRAM)
        bad.append('socket family %d' % family)
    except OSError as error:
        if error.errno != errno.EPERM: bad.append('socket family %d: %s' % (family, error))
print('\\n'.join(bad) or 'all refused')
`;
