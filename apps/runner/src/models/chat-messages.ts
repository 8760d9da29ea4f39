import type { Dialect, ModelRequest, ResultPart, ToolMetadata, TranscriptItem } from '@oneslot/core';
import type OpenAI from 'openai';
import { type ToolParameters, toolParameters } from './tool-parameters.ts';

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type FunctionTool = OpenAI.Chat.ChatCompletionFunctionTool;

/**
 * The transcript as the bytes of Chat Completions messages. Each item maps by itself, so a longer transcript only ever
 * appends, and what was sent before is not written again; images follow the results of their step, because a tool
 * message may hold text alone.
 */
export function messageBytes(request: ModelRequest): Buffer[] {
  const messages = [bytesOf({ role: 'system', content: request.system })];
  let images: { callId: string; part: ResultPart }[] = [];
  const flushImages = () => {
    if (images.length > 0) messages.push(bytesOf(imageMessage(images)));
    images = [];
  };
  for (const item of request.transcript) {
    if (item.kind !== 'result') flushImages();
    messages.push(remembered(writtenMessages, item, () => messageOf(item)));
    if (item.kind === 'result') images.push(...item.parts.map((part) => ({ callId: item.callId, part })));
  }
  flushImages();
  return messages;
}

/** For each message that is sent, the item of the transcript it is made of; null for the instructions. */
export function messageOwners({ transcript }: ModelRequest): (number | null)[] {
  const owners: (number | null)[] = [null];
  let image: number | null = null;
  const flushImages = () => {
    if (image !== null) owners.push(image);
    image = null;
  };
  transcript.forEach((item, index) => {
    if (item.kind !== 'result') flushImages();
    owners.push(index);
    if (item.kind === 'result' && item.parts.length > 0) image ??= index;
  });
  flushImages();
  return owners;
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

const writtenTools = new WeakMap<ToolParameters, Buffer>();
const writtenMessages = new WeakMap<TranscriptItem, Buffer>();

/** Metadata is frozen within a session, so each definition is written once and its bytes never move. */
export function toolBytes(tool: ToolMetadata, dialect: Dialect): Buffer {
  const parameters = toolParameters(tool, dialect);
  return remembered(writtenTools, parameters, () => {
    const { name, description } = tool;
    // Servers that never heard of strict mode may refuse the word.
    const strict = parameters.strict ? { strict: true } : {};
    return { type: 'function', function: { name, description, parameters: parameters.schema, ...strict } };
  });
}

function remembered<K extends object>(written: WeakMap<K, Buffer>, key: K, make: () => Message | FunctionTool): Buffer {
  const bytes = written.get(key) ?? bytesOf(make());
  written.set(key, bytes);
  return bytes;
}

function bytesOf(value: Message | FunctionTool): Buffer {
  return Buffer.from(JSON.stringify(value));
}
