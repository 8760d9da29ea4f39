export { type FakeEnvelopes, fakeEnvelopes } from './fake-envelopes.ts';
export {
  fakeApprovals,
  fakeClock,
  fakeJournal,
  fakePolicy,
  fakeRandom,
  fakeSecrets,
  fakeSubjects,
} from './fake-ports.ts';
export { fakeFiles, fakeShell } from './fake-workspace.ts';
export { ownCases, spell } from './read-cases.ts';
export { type CaseRow, readCases, runCases } from './run-cases.ts';
export { callsTools, type ScriptedAnswer, says, scriptedModel } from './scripted-model.ts';
