import type { Args } from './command-args.ts';
import type { Finding } from './command-class.ts';
import type { Input } from './read-line.ts';
import type { Word } from './read-words.ts';

/** What a rule is given beside the arguments: what the program reads, and the way to judge text or words inside. */
export type RuleContext = {
  program: string;
  input: Input;
  judgeText(text: string): Finding;
  judgeWords(words: readonly Word[], input?: Input): Finding;
};
export type Rule = (args: Args, context: RuleContext) => Finding;
