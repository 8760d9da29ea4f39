import type { SessionEvent } from '@oneslot/core';
import { expect, test } from 'vitest';
import { fitEvent, trimEvent } from './fit-event.ts';

const spilled: string[] = [];
const spill = async (text: string) => `out_${spilled.push(text)}`;
const step = (argumentsText: string, text = ''): SessionEvent => ({
  kind: 'step-completed',
  step: 1,
  text,
  reasoning: '',
  calls: [{ callId: 'c', name: 'write_file', argumentsText }],
  ending: 'complete',
  forged: 0,
});
const bytes = (event: SessionEvent) => Buffer.byteLength(JSON.stringify(event));

test('what fits stays as it is', async () => {
  const event = step('{"path":"a"}');
  expect(await fitEvent(event, spill)).toBe(event);
});

test('arguments of a large call move whole to an envelope', async () => {
  const whole = JSON.stringify({ path: 'a', content: 'ü'.repeat(100_000) });
  const fitted = await fitEvent(step(whole), spill);
  expect(spilled.at(-1)).toBe(whole);
  expect(fitted).toMatchObject({ calls: [{ argumentsRef: `out_${spilled.length}` }] });
  expect(bytes(fitted)).toBeLessThan(60_000);
});

test('a long answer moves too', async () => {
  const fitted = await fitEvent(step('{}', 'x'.repeat(200_000)), spill);
  expect(fitted).toMatchObject({ textRef: `out_${spilled.length}` });
  expect(bytes(fitted)).toBeLessThan(60_000);
});

test('a message of many pages moves', async () => {
  const event: SessionEvent = { kind: 'message-added', messageId: 'm', text: 'y'.repeat(90_000), by: 'u' };
  expect(await fitEvent(event, spill)).toMatchObject({ textRef: `out_${spilled.length}` });
});

test('a result keeps its text and loses data, then images', () => {
  const result = {
    callId: 'c',
    ok: true,
    code: null,
    content: 'z'.repeat(30_000),
    parts: [],
    warnings: [],
    truncated: false,
    outputRef: null,
    untrusted: false,
    tookMs: 1,
  };
  const withData = trimEvent({
    kind: 'call-finished',
    callId: 'c',
    result: { ...result, data: { diff: 'd'.repeat(90_000) } },
  });
  expect(bytes(withData)).toBeLessThan(60_000);
  expect(withData).toMatchObject({ result: { content: result.content } });
  const parts = [{ kind: 'image' as const, mediaType: 'image/png', base64: 'A'.repeat(90_000) }];
  const withImage = trimEvent({ kind: 'call-finished', callId: 'c', result: { ...result, parts } });
  expect(withImage).toMatchObject({ result: { content: result.content, parts: [] } });
});

test('a result of a hundred kilobytes moves whole', async () => {
  const content = 'w'.repeat(100_000);
  const event: SessionEvent = {
    kind: 'call-finished',
    callId: 'c',
    result: {
      callId: 'c',
      ok: true,
      code: null,
      content,
      parts: [],
      warnings: [],
      truncated: false,
      outputRef: null,
      untrusted: false,
      tookMs: 1,
    },
  };
  const fitted = await fitEvent(event, spill);
  expect(spilled.at(-1)).toBe(content);
  expect(fitted).toMatchObject({ result: { contentRef: `out_${spilled.length}` } });
  expect(bytes(fitted)).toBeLessThan(60_000);
});
