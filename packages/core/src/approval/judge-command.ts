import type { CommandParser } from '../contract/ports.ts';
import type { CommandJudgement } from '../contract/tool-spec.ts';

/** Grades a command line by its worst part; what cannot be read counts as running code. */
export function judgeCommand(command: string, parser: CommandParser | null): CommandJudgement {
  void command;
  void parser;
  return { class: 'executes', reasons: ['It could not be read.'], simple: [], refuse: null };
}
