import type { ModelRequest, ResultPart, ToolMetadata, TranscriptItem } from '@oneslot/core';
import type OpenAI from 'openai';

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type FunctionTool = OpenAI.Chat.ChatCompletionFunctionTool;

/**
 * The transcript as Chat Completions messages. Each item maps by itself, so a longer transcript only ever
 * appends; images follow the results of their step, because a tool message may hold text alone.
 */
export function chatMessages(request: ModelRequest): Message[] {
  const messages: Message[] = [{ role: 'system', content: request.system }];
  let images: { callId: string; part: ResultPart }[] = [];
  const flushImages = () => {
    if (images.length > 0) messages.push(imageMessage(images));
    images = [];
  };
  for (const item of request.transcript) {
    if (item.kind !== 'result') flushImages();
    messages.push(messageOf(item));
    if (item.kind === 'result') images.push(...item.parts.map((part) => ({ callId: item.callId, part })));
  }
  flushImages();
  return messages;
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

const mapped = new WeakMap<ToolMetadata, FunctionTool>();

/** Metadata is frozen within a session, so each definition is turned once and its bytes never move. */
export function chatTools(tools: readonly ToolMetadata[]): FunctionTool[] {
  return tools.map((tool) => {
    const known = mapped.get(tool);
    if (known) return known;
    const made: FunctionTool = {
      type: 'function',
      function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
    };
    mapped.set(tool, made);
    return made;
  });
}
