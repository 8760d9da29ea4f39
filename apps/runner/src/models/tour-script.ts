import type { OfflineAnswer } from './offline-stream.ts';

/** How a call of the tour came back, as far as its text tells. */
export type TourResult = { name: string; input: Record<string, unknown>; content: string; failed: boolean };
/** Everything the script may react to; `step` counts the answers given since the last user message. */
export type TourState = { step: number; results: readonly TourResult[] };

type TourStep = (state: TourState) => OfflineAnswer;

const call = (name: string, input: object) => ({ name, argumentsText: JSON.stringify(input) });
const folderOf = (state: TourState) => {
  const path = state.results.find((r) => r.name === 'write_file')?.input.path;
  return typeof path === 'string' ? path.slice(0, path.lastIndexOf('/')) : 'tour';
};
const last = (state: TourState) => state.results.at(-1);

/** A folder of an earlier tour is left alone: its files may have been edited by now. */
function freshFolder(state: TourState): string {
  const listing = last(state)?.content ?? '';
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'tour' : `tour-${n}`;
    if (!new RegExp(`(^|[\\s/])${name}/?($|[\\s/])`, 'm').test(listing)) return name;
  }
}

/** What to say when a step did not go as planned; the tour goes on, because a refusal is part of what it shows. */
function afterwards(state: TourState, went: string): string {
  const result = last(state);
  if (!result?.failed) return went;
  const reason = result.content.split('\n')[0] ?? '';
  return `That call did not run, and this is exactly what a model reads when it happens:\n\n> ${reason}\n\nNothing breaks: I carry on.`;
}

const notes = '# Notes\n\n- pears\n- apples\n- plums\n';

export const tourScript: readonly TourStep[] = [
  () => ({
    text: 'Welcome to Oneslot. I am the **Tour**: no language model and no network, only a script that uses the real tools, so everything you see below really happens in the workspace of this session.\n\nFirst I look around. Reading never asks.',
    calls: [call('list_dir', { path: '.' })],
  }),
  (state) => ({
    text: `${afterwards(state, 'That card holds the input and the whole output of the call; open it to look.')}\n\nNow I write a small file. Depending on the mode of this session it runs at once or asks you first.`,
    calls: [call('write_file', { path: `${freshFolder(state)}/notes.md`, content: notes })],
  }),
  (state) => ({
    text: `${afterwards(state, 'The file is there; you find it in the files panel.')}\n\nNext an edit. Its card shows the difference, line by line, and in the mode *ask* it waits for your approval.`,
    calls: [
      call('edit_file', {
        path: `${folderOf(state)}/notes.md`,
        old_string: '- apples',
        new_string: '- apples, the red ones',
      }),
    ],
  }),
  (state) => ({
    text: `${afterwards(state, 'Done.')}\n\nNow a command that writes. Commands that only read may run by themselves inside the sandbox; this one has an effect, so the slot **asks you**: the card shows the exact bytes that would run. Approve it once, for the session, edit it, or say no and give a reason.`,
    calls: [
      call('run_command', {
        command: `sort ${folderOf(state)}/notes.md > ${folderOf(state)}/sorted.md`,
        description: 'Sorts the notes into a second file',
      }),
    ],
  }),
  (state) => ({
    text: `${afterwards(state, 'Thank you. Your decision was stored before the command ran, and it is bound to exactly what you saw.')}\n\nI read both files back, in one parallel batch.`,
    calls: ['notes.md', 'sorted.md'].map((file) => call('read_file', { path: `${folderOf(state)}/${file}` })),
  }),
  (state) => ({ text: summary(state), calls: [] }),
];

function summary(state: TourState): string {
  const lines = state.results.map((r) => `- \`${r.name}\` ${r.failed ? 'was refused or failed' : 'ran'}`);
  return `That was the whole route of a call: planned, judged, approved where needed, run in the sandbox, stored as events.\n\n${lines.join('\n')}\n\nWhat now?\n\n- Reload the page or open it in another browser: nothing is lost.\n- Choose **Manual** as the model to call any tool yourself, for example \`/call read_file {"path":"${folderOf(state)}/notes.md"}\`.\n- Add a provider on the models page to work with a real model.\n\nSend any message to take the tour again.`;
}
