import type { ModelRequest, ResultPart, ToolMetadata, TranscriptItem } from '@oneslot/core';
import type OpenAI from 'openai';
import { toolParameters } from './tool-parameters.ts';

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type FunctionTool = OpenAI.Chat.ChatCompletionFunctionTool;

/**
 * The transcript as the texts of Chat Completions messages. Each item maps by itself, so a longer transcript only ever
 * appends, and what was sent before is not written again; images follow the results of their step, because a tool
 * message may hold text alone.
 */
export function messageTextsOf(request: ModelRequest): string[] {
  const texts = [JSON.stringify({ role: 'system', content: request.system })];
  let images: { callId: string; part: ResultPart }[] = [];
  const flushImages = () => {
    if (images.length > 0) texts.push(JSON.stringify(imageMessage(images)));
    images = [];
  };
  for (const item of request.transcript) {
    if (item.kind !== 'result') flushImages();
    texts.push(remembered(messageTexts, item, () => JSON.stringify(messageOf(item))));
    if (item.kind === 'result') images.push(...item.parts.map((part) => ({ callId: item.callId, part })));
  }
  flushImages();
  return texts;
}

function messageOf(item: TranscriptItem): Message {
  if (item.kind === 'user') return { role: 'user', content: item.text };
  if (item.kind === 'note') return { role: 'user', content: noteText(item.text) };
  if (item.kind === 'result') return { role: 'tool', tool_call_id: item.callId, content: item.content };
  if (item.calls.length === 0) return { role: 'assistant', content: item.text };
  return {
    role: 'assistant',
    content: item.text === '' ? null : item.text,
    tool_calls: item.calls.map((call) => ({
      id: call.callId,
      type: 'function',
      function: { name: call.name, arguments: call.argumentsText },
    })),
  };
}

/** Many servers refuse a second system message, so the host speaks in the user's place and says that it is the host. */
export function noteText(text: string): string {
  return `[Note from Oneslot, not from the user] ${text}`;
}

function imageMessage(images: readonly { callId: string; part: ResultPart }[]): Message {
  return {
    role: 'user',
    content: images.flatMap(({ callId, part }) => [
      { type: 'text' as const, text: noteText(`Image returned by call ${callId}:`) },
      { type: 'image_url' as const, image_url: { url: `data:${part.mediaType};base64,${part.base64}` } },
    ]),
  };
}

const toolTexts = new WeakMap<ToolMetadata, string>();
const messageTexts = new WeakMap<TranscriptItem, string>();

/** Metadata is frozen within a session, so each definition is written once and its bytes never move. */
export function toolText(tool: ToolMetadata): string {
  return remembered(toolTexts, tool, () => {
    const { name, description } = tool;
    const parameters = toolParameters(tool);
    const definition: FunctionTool = { type: 'function', function: { name, description, parameters } };
    return JSON.stringify(definition);
  });
}

function remembered<K extends object>(known: WeakMap<K, string>, key: K, write: () => string): string {
  const text = known.get(key) ?? write();
  known.set(key, text);
  return text;
}
