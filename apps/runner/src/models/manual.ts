import type { ModelClient, ModelRequest } from '@oneslot/core';
import { currentTurn, type OfflineAnswer, type OfflineDeps, playAnswer } from './offline-stream.ts';

/** Turns lines such as `/call read_file {"path":"a"}` into exactly these structured calls; offline and in process. */
export function createManual(deps: OfflineDeps): ModelClient {
  return {
    id: 'manual',
    stream: (request, signal) => playAnswer(answerManually(request), deps, signal),
  };
}

export function answerManually(request: ModelRequest): OfflineAnswer {
  const { message, items } = currentTurn(request.transcript);
  const results = items.filter((item) => item.kind === 'result').length;
  if (results > 0) return { text: resultText(results), calls: [] };
  const calls = parseCalls(message);
  return calls.length > 0 ? { text: '', calls } : { text: helpText(request), calls: [] };
}

/**
 * Every line that starts with `/call` opens a call; lines behind it belong to its arguments. The text of the
 * arguments is passed on untouched, so that damaged ones meet the ladder as they would from a model.
 */
export function parseCalls(message: string): OfflineAnswer['calls'] {
  const blocks: string[] = [];
  for (const line of message.split('\n')) {
    if (/^\s*\/call(\s|$)/.test(line)) blocks.push(line.trim());
    else if (blocks.length > 0) blocks[blocks.length - 1] += `\n${line}`;
  }
  return blocks.flatMap((block) => {
    const found = /^\/call\s+(\S+)\s*([\s\S]*)$/.exec(block);
    return found ? [{ name: found[1] ?? '', argumentsText: (found[2] ?? '').trim() }] : [];
  });
}

function resultText(results: number): string {
  const what = results === 1 ? 'The result is in the card above.' : `The ${results} results are in the cards above.`;
  return `${what} Write the next \`/call\`, or anything else for help.`;
}

function helpText(request: ModelRequest): string {
  const tools = request.tools.map((tool) => `- \`${tool.name}\` ${firstSentence(tool.description)}`);
  return [
    'I am the **Manual** model: offline, no intelligence, only your hands. Write a line such as',
    '',
    '```',
    '/call read_file {"path":"README.md"}',
    '```',
    '',
    'and it becomes exactly this call, through approval, sandbox and log. Several lines are several calls of one turn.',
    '',
    'Tools of this session (others are found with `/call tool_search {"query":"…"}`):',
    '',
    ...tools,
  ].join('\n');
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}
