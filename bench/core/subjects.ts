import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintCall } from '../../packages/core/src/approval/fingerprint-call.ts';
import { judgeCommand } from '../../packages/core/src/approval/judge-command.ts';
import { projectSchema } from '../../packages/core/src/catalog/project-schema.ts';
import { sanitizeSchema } from '../../packages/core/src/catalog/sanitize-schema.ts';
import type { JsonObject } from '../../packages/core/src/contract/json.ts';
import type { CommandParser } from '../../packages/core/src/contract/ports.ts';
import { LoopGuard } from '../../packages/core/src/dispatch/guard-loops.ts';
import { planCalls } from '../../packages/core/src/dispatch/plan-calls.ts';
import { createEarlyCalls } from '../../packages/core/src/dispatch/start-early.ts';
import { repairArguments } from '../../packages/core/src/repair/repair-arguments.ts';
import { ownCases, readRows, sharedPath } from '../../packages/core/src/testing/read-cases.ts';
import { stripForgedCalls } from '../../packages/core/src/turn/strip-forged-calls.ts';
import { toolSpec, wireDispatcher } from '../../packages/core/test/wire-dispatcher.ts';
import type { Subject } from './measure.ts';

/** Fence, raw line breaks, commas and closers too many: the highest rung, up to the size where mending is still tried. */
const ladder: Subject = {
  name: 'argument ladder',
  unit: 'KiB',
  size: 1_020,
  prepare(kib) {
    const row = '{"path":"src/a.ts","lines":[1,2,],"text":"one\nline \\\'and\\\' more",},';
    const text = `\`\`\`json\n{"rows":[${row.repeat(Math.floor((kib * 1024) / row.length))}]}}\n\`\`\``;
    return () => {
      if (repairArguments(text, 'full_ladder').unrepaired) throw new Error('The ladder refused what it should mend.');
    };
  },
};

const sanitizer: Subject = {
  name: 'sanitise and project (openai)',
  unit: 'tools',
  size: 2_048,
  prepare(count) {
    const schemas = realSchemas();
    const chosen = Array.from({ length: count }, (_, index) => schemas[index % schemas.length] ?? {});
    return () => {
      for (const schema of chosen) projectSchema(sanitizeSchema(schema).schema, 'openai');
    };
  },
};

/** Of real servers where their dumps are at hand, else our own dirty ones. */
function realSchemas(): JsonObject[] {
  const folder = sharedPath('mcp/tools-list');
  const own = ownCases<{ schema: JsonObject }>('json-schema/dirty.jsonl').map((row) => row.schema);
  const isObject = (schema: unknown): schema is JsonObject => typeof schema === 'object' && schema !== null;
  if (!existsSync(folder)) return own.filter(isObject);
  return readdirSync(folder).flatMap((name) => {
    const { tools }: { tools: { inputSchema: JsonObject }[] } = Object(readRows(join(folder, name)));
    return tools.map((tool) => tool.inputSchema);
  });
}

/** An answer in single characters, half of it prose and half of it forged calls and code. */
const filter: Subject = {
  name: 'forged-call filter, 1-character chunks',
  unit: 'KiB',
  size: 10_240,
  prepare(kib) {
    const part =
      'Some words of an answer, as long as a line. <tool_call>{"name":"ls","arguments":{}}</tool_call>\n`code`\n';
    const text = part.repeat(Math.ceil((kib * 1024) / part.length));
    return () => {
      const stripper = stripForgedCalls(new Set(['ls']));
      let shown = 0;
      for (const char of text) shown += stripper.push(char).length;
      shown += stripper.finish().length;
      if (stripper.forged === 0 || shown === 0) throw new Error('The filter took away too much or nothing.');
    };
  },
};

/** One answer of many calls over a large catalogue, a part of them damaged. */
const planner: Subject = {
  name: 'planner, 2,000 tools',
  unit: 'calls',
  size: 8_192,
  prepare(count) {
    const specs = Array.from({ length: 2_000 }, (_, index) =>
      toolSpec({ name: `tool_number_${index}`, execute: async () => '' }),
    );
    const { deps } = wireDispatcher(specs);
    const calls = Array.from({ length: count }, (_, index) => ({
      callId: `c${index}`,
      name: index % 4 === 0 ? `toolNumber_${index % 2_000}` : `tool_number_${index % 2_000}`,
      argumentsText: index % 3 === 0 ? `{"row":${index},}` : `{"row":${index}}`,
    }));
    return () =>
      planCalls(calls, 'complete', { deps, guard: new LoopGuard(), early: createEarlyCalls(), answers: new Map() });
  },
};

function fingerprints(parser: CommandParser): Subject {
  return {
    name: 'judge and fingerprint',
    unit: 'commands',
    size: 2_048,
    prepare(count) {
      const rows = ownCases<{ command: string }>('shell-safety/commands.jsonl').map((row) => row.command);
      const chosen = Array.from({ length: count }, (_, index) => rows[index % rows.length] ?? '');
      const call = { tool: 'run_command', cwd: '.', env: [], discriminators: [], paths: [], hosts: [] };
      return () => {
        for (const command of chosen) {
          judgeCommand(command, parser);
          fingerprintCall({ ...call, input: { command }, command }, parser);
        }
      };
    },
  };
}

export function subjectsOf(parser: CommandParser): Subject[] {
  return [ladder, sanitizer, filter, planner, fingerprints(parser)];
}
