import { describe, expect, test } from 'vitest';
import { inRoot } from '../bootstrap/paths.ts';
import { help, readOptions } from './options.ts';

describe('readOptions', () => {
  test('has defaults for a machine of one person', () => {
    expect(readOptions([], {})).toEqual({
      help: false,
      port: 3000,
      host: '127.0.0.1',
      dataDir: inRoot('.oneslot'),
      engine: 'auto',
      open: false,
    });
  });

  test('prefers a flag to its variable', () => {
    const env = { ONESLOT_PORT: '4000', ONESLOT_HOST: '0.0.0.0', ONESLOT_DATA_DIR: '/a', ONESLOT_ENGINE: 'docker' };
    expect(readOptions([], env)).toMatchObject({ port: 4000, host: '0.0.0.0', dataDir: '/a', engine: 'docker' });
    const args = ['--port', '5000', '--host=::1', '--data', '/b', '--engine', 'simulated', '--open'];
    expect(readOptions(args, env)).toMatchObject({
      port: 5000,
      host: '::1',
      dataDir: '/b',
      engine: 'simulated',
      open: true,
    });
  });

  test.each([
    ['an unknown flag', ['--prot', '1'], 'not understood'],
    ['a stray word', ['3000'], 'not understood'],
    ['a port that is none', ['--port', 'http'], '"http" is not a port'],
    ['a port out of range', ['--port', '70000'], '"70000" is not a port'],
    ['an engine nobody has', ['--engine', 'vm'], 'no engine "vm"'],
  ])('refuses %s', (_what, args, words) => {
    expect(() => readOptions(args, {})).toThrow(words);
  });

  test('lists every flag and variable in the help', () => {
    for (const name of [
      '--port',
      '--host',
      '--data',
      '--engine',
      '--open',
      'ONESLOT_PORT',
      'ONESLOT_HOST',
      'ONESLOT_DATA_DIR',
      'ONESLOT_ENGINE',
    ]) {
      expect(help).toContain(name);
    }
  });
});
