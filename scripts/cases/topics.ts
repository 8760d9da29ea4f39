import { basename } from 'node:path';
import * as approvals from '../../packages/core/test/scores/score-approvals.ts';
import * as inputs from '../../packages/core/test/scores/score-arguments.ts';
import { scoreBatch } from '../../packages/core/test/scores/score-batches.ts';
import { type CommandRow, scoreCommands } from '../../packages/core/test/scores/score-commands.ts';
import * as forged from '../../packages/core/test/scores/score-forged-calls.ts';
import * as loops from '../../packages/core/test/scores/score-loops.ts';
import * as names from '../../packages/core/test/scores/score-names.ts';
import { type OwnOutput, scoreOutput } from '../../packages/core/test/scores/score-outputs.ts';
import * as schemas from '../../packages/core/test/scores/score-schemas.ts';
import { scoreShellOutput } from '../../packages/core/test/scores/score-shell-outputs.ts';
import { loadParser, outputHost, registryBeside } from './product.ts';
import { scoreEdits } from './score-edits.ts';
import { everyRow, format, type Topic } from './topic.ts';

const coreArguments = everyRow(['raw', 'truncatedTurn', 'expect'], inputs.scoreCoreArguments);
const coreNames = everyRow(['registered', 'called', 'expect'], names.scoreCoreName);
const coreSchemas = everyRow(['schema', 'expect'], schemas.scoreCoreSchema);
const coreForged = everyRow(['chunks', 'expectVisible'], forged.scoreCoreForged);
const coreLoops = everyRow(['steps'], loops.scoreCoreLoop);
const shellOutputs = everyRow(['stdout', 'expect'], scoreShellOutput);
const derivations = everyRow(['capabilities', 'expect'], approvals.scoreDerivation);
const batches = everyRow(['plans', 'expect'], scoreBatch);
const fingerprints = format<approvals.FingerprintRow>(['first', 'next', 'expectHit'], async (rows, path) => {
  const parser = await loadParser();
  const one = everyRow(['first'], (row: approvals.FingerprintRow) => approvals.scoreFingerprint(row, parser));
  return one.score(rows, path);
});

const ownArguments = everyRow(['accept'], inputs.scoreOwnArguments);
const libraryPairs = format<inputs.LibraryPair>(['input', 'rootObject'], inputs.scoreLibraryPairs);
const suiteTexts = format<inputs.SuiteText>(['expect', 'id'], inputs.scoreSuiteTexts);
const dirtySchemas = format<schemas.DirtySchema>(['schema', 'accepts'], schemas.scoreDirtySchemas);
const suiteSchemas = format<schemas.SuiteSchema>(['schema', 'tests'], (rows, path) => {
  const isOld = /draft-?0?7/.test(`${rows[0]?.id} ${basename(path)}`);
  return schemas.scoreSuiteSchemas(rows, isOld ? 'draft7' : '2020-12');
});
const toolDumps = format<schemas.ToolDump>(['tools'], ([dump], path) =>
  schemas.scoreToolDump(dump ?? { tools: [] }, basename(path, '.json')),
);

/** Every topic that can be scored; the core files go by their own names. */
export const topics: Readonly<Record<string, Topic>> = {
  'json-repair': {
    file: 'json-repair/tool-arguments.jsonl',
    formats: [ownArguments, coreArguments, libraryPairs, suiteTexts],
  },
  'json-schema': {
    file: 'json-schema/dirty.jsonl',
    formats: [dirtySchemas, suiteSchemas, toolDumps, coreSchemas],
  },
  'name-repair': {
    file: 'name-repair/names.jsonl',
    formats: [
      coreNames,
      format<names.OwnName>(['called', 'expect'], (rows, path) => names.scoreOwnNames(rows, registryBeside(path))),
    ],
  },
  'fake-tool-calls': {
    file: 'fake-tool-calls/texts.jsonl',
    formats: [everyRow(['text', 'visible', 'notice'], forged.scoreOwnForged), coreForged],
  },
  'shell-safety': {
    file: 'shell-safety/commands.jsonl',
    formats: [
      format<CommandRow>(['command', 'expectedClass'], async (rows) => scoreCommands(rows, await loadParser())),
    ],
  },
  'loop-guard': {
    file: 'loop-guard/cases.jsonl',
    formats: [everyRow(['steps', 'expect'], loops.scoreOwnLoop), coreLoops],
  },
  'output-envelope': {
    file: 'output-envelope/cases.jsonl',
    formats: [everyRow(['given', 'check'], (row: OwnOutput) => scoreOutput(row, outputHost)), shellOutputs],
  },
  edit: { file: 'apply-patch/edit.jsonl', formats: [format(['oldText', 'newText', 'result'], scoreEdits)] },
  arg_repair: { file: 'core/arg_repair.json', formats: [coreArguments] },
  name_repair: { file: 'core/name_repair.json', formats: [coreNames] },
  schema_sanitize: { file: 'core/schema_sanitize.json', formats: [coreSchemas] },
  approval_derivation: { file: 'core/approval_derivation.json', formats: [derivations] },
  approval_fingerprint: { file: 'core/approval_fingerprint.json', formats: [fingerprints] },
  loop_guard: { file: 'core/loop_guard.json', formats: [coreLoops] },
  fake_calls: { file: 'core/fake_calls.json', formats: [coreForged] },
  batching: { file: 'core/batching.json', formats: [batches] },
  shell_truncation: { file: 'core/shell_truncation.json', formats: [shellOutputs] },
};

/** Sets of the collection whose subject is not part of the product yet. */
export const laterTopics: ReadonlySet<string> = new Set(['apply-patch', 'ssrf', 'mcp-hostile']);
