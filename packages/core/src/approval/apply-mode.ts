import type { Isolation, Level, Mode } from '../contract/ports.ts';

export type ModeFacts = {
  mode: Mode;
  isolation: Isolation;
  level: Level;
  /** The tool itself reads only, whatever this input proved. */
  readOnlyTool: boolean;
  /** The tool reaches nothing but the session's own records. */
  inward: boolean;
  contained: boolean;
  /** The tool says that a person may answer for it in plan mode too. */
  asksInPlanMode: boolean;
};

/** Level and mode to what happens. */
export function applyMode(facts: ModeFacts): 'run' | 'ask' | 'refuse' {
  if (facts.level === 'auto') return unaskedInside(facts) ? 'run' : facts.mode === 'plan' ? 'refuse' : 'ask';
  if (facts.mode === 'plan') return facts.readOnlyTool || facts.asksInPlanMode ? 'ask' : 'refuse';
  return tableSays(facts) === 'run' && unaskedInside(facts) ? 'run' : 'ask';
}

function tableSays({ mode, level, contained }: ModeFacts): 'run' | 'ask' {
  if (mode === 'ask') return 'ask';
  if (level === 'suggest') return 'run';
  return mode === 'autopilot' && contained ? 'run' : 'ask';
}

/** Without isolation the sandbox holds nothing back, so a person stands in for it. */
function unaskedInside({ isolation, readOnlyTool, inward }: ModeFacts): boolean {
  return isolation !== 'none' || readOnlyTool || inward;
}
