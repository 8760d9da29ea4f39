import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import messages from '../../messages/en.json' with { type: 'json' };
import { ApprovalActions, type Panel } from './approval-actions.tsx';

const request = {
  approvalId: 'a1',
  digest: 'd',
  tool: 'run_command',
  level: 'required',
  reason: 'Runs code.',
  canonicalText: '{"input":{"command":"ls"}}',
  scopeWords: 'ls',
  scopeExamples: [],
  deadline: 0,
};

/** Names of the buttons that can be pressed. */
function pressable(panel: Panel, seen: boolean): string[] {
  const nothing = () => undefined;
  const state = { request, seen, armed: false, panel, busy: false };
  const page = (
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <ApprovalActions {...state} onArm={nothing} onPanel={nothing} onAnswer={nothing} />
    </NextIntlClientProvider>
  );
  const buttons = renderToStaticMarkup(page).matchAll(/<button([^>]*)>(.*?)<\/button>/g);
  return [...buttons].flatMap(([, attributes = '', inside = '']) =>
    / disabled=""/.test(attributes) ? [] : [inside.replace(/<[^>]*>/g, '')],
  );
}

const { approveOnce, approveSession, edit, deny, approveEdited } = messages.approvals;

test('whatever lets the call run waits until the end of the request was seen', () => {
  expect(pressable('none', false)).toEqual([deny]);
  expect(pressable('edit', false)).toEqual([messages.ui.back]);
  expect(pressable('none', true)).toEqual([approveOnce, approveSession, edit, deny]);
  expect(pressable('edit', true)).toEqual([approveEdited, messages.ui.back]);
});
