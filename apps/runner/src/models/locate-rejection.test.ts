import type { ModelRequest } from '@oneslot/core';
import { APIError } from 'openai';
import { expect, test } from 'vitest';
import { messageOwners } from './chat-messages.ts';
import { locateRejection } from './locate-rejection.ts';

const image = { kind: 'image' as const, mediaType: 'image/png', base64: 'AA==' };
const calls = ['a', 'b'].map((callId) => ({ callId, name: 't', argumentsText: '{}' }));
const request: ModelRequest = {
  system: 's',
  tools: [],
  transcript: [
    { kind: 'user', text: 'hi' },
    { kind: 'assistant', text: '', reasoning: '', calls },
    { kind: 'result', callId: 'a', content: 'long text', parts: [] },
    { kind: 'result', callId: 'b', content: 'shot', parts: [image] },
    { kind: 'user', text: 'next' },
  ],
};
const refused = (status: number, message: string) =>
  APIError.generate(status, { error: { message } }, message, new Headers());
const locate = (status: number, message: string) =>
  locateRejection(refused(status, message), request, () => messageOwners(request));

test('owners follow what is sent, images included', () => {
  expect(messageOwners(request)).toEqual([null, 0, 1, 2, 3, 3, 4]);
});

test.each<[string, number, string, object | null]>([
  ['a place', 400, 'messages[1]: bad', { at: 0, part: 'text' }],
  ['a place in dots', 400, 'messages.3.content: bad', { at: 2, part: 'text' }],
  ['the place of an image', 400, 'messages[5].content[1].image_url: invalid base64', { at: 3, part: 'image' }],
  ['an image without a place', 400, 'Could not process image', { at: 3, part: 'image' }],
  ['a body that is too large', 413, 'Request Entity Too Large', { at: 2, part: 'text' }],
  ['a context that is full', 400, 'maximum context length is 8192 tokens', { at: 2, part: 'text' }],
  ['the instructions', 400, 'messages[0]: bad', null],
  ['a place that was not sent', 400, 'messages[99]: bad', null],
  ['nothing of the kind', 400, 'unknown parameter', null],
  ['another status', 401, 'messages[1]: bad', null],
])('%s', (_, status, message, expected) => {
  expect(locate(status, message)).toEqual(expected);
});
