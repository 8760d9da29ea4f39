import { describe, expect, it } from 'vitest';
import { unpackCalls } from './unpack-calls.ts';

const offered = new Set(['read_file', 'grep', 'run_command']);
const uses = [
  { recipient_name: 'functions.read_file', parameters: { path: 'a' } },
  { recipient_name: 'functions.grep', parameters: { pattern: 'x' } },
];
function unpack(name: string, value: unknown, tools: ReadonlySet<string> = offered) {
  let made = 0;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return unpackCalls([{ callId: 'c1', name, argumentsText: text }], tools, () => `made_${++made}`);
}

describe('unpackCalls', () => {
  it.each([
    ['multi_tool_use.parallel', { tool_uses: uses }],
    ['functions.multi_tool_use.parallel', { tool_uses: uses }],
    ['multi_tool_use_parallel', { tool_uses: uses }],
    ['parallel', { calls: uses }],
    [
      'batch',
      {
        tool_calls: [
          { tool: 'read_file', parameters: { path: 'a' } },
          { name: 'grep', args: { pattern: 'x' } },
        ],
      },
    ],
    [
      'batch_tool',
      {
        invocations: [
          { tool_name: 'read_file', input: '{"path":"a"}' },
          { name: 'grep', arguments: { pattern: 'x' } },
        ],
      },
    ],
  ])('%s', (name, value) => {
    expect(unpack(name, value)).toEqual([
      { callId: 'made_1', name: 'read_file', argumentsText: '{"path":"a"}' },
      { callId: 'made_2', name: 'grep', argumentsText: '{"pattern":"x"}' },
    ]);
  });

  it('takes missing arguments as none', () => {
    expect(unpack('batch', { calls: [{ name: 'grep' }] })).toMatchObject([{ name: 'grep', argumentsText: '{}' }]);
  });

  it.each([
    ['no list', {}],
    ['an empty list', { tool_uses: [] }],
    ['an entry without a name', { tool_uses: [...uses, { parameters: {} }] }],
    [
      'a wrapper within',
      { tool_uses: [{ recipient_name: 'multi_tool_use.parallel', parameters: { tool_uses: uses } }] },
    ],
    ['too many', { tool_uses: Array(33).fill(uses[0]) }],
    ['text that does not parse', '{"tool_uses":[{"recipient_name":"functions.read_file"'],
  ])('leaves %s as it is', (_, value) => {
    expect(unpack('multi_tool_use.parallel', value)).toHaveLength(1);
    expect(unpack('multi_tool_use.parallel', value)[0]?.callId).toBe('c1');
  });

  it('leaves an offered tool of that name alone', () => {
    expect(unpack('batch', { tool_calls: uses }, new Set(['batch']))).toMatchObject([{ callId: 'c1', name: 'batch' }]);
  });
});
