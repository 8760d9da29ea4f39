import { type Answer, defineTool, ToolError } from '@oneslot/core';
import { z } from 'zod';

export default defineTool({
  name: 'ask_user',
  family: 'human',
  description:
    'Asks the people in this session one to four questions and waits for the answer. Ask only what you cannot find out ' +
    'yourself and what changes what you do next. Returns per question the chosen labels, free text, and who answered when.',
  capabilities: [],
  uses: ['user'],
  interactive: true,
  load: 'resident',
  timeoutMs: null,
  input: z.strictObject({
    questions: z
      .array(
        z.strictObject({
          id: z.string().min(1).max(40),
          header: z.string().min(1).max(24).describe('Two or three words'),
          question: z.string().min(1).max(500),
          options: z
            .array(
              z.strictObject({
                label: z.string().min(1).max(60),
                description: z.string().min(1).max(200).optional(),
                recommended: z.boolean().optional(),
              }),
            )
            .min(2)
            .max(5),
          multi: z.boolean().default(false).describe('Allow several choices'),
          free_text: z.boolean().default(true).describe('Allow an answer in own words'),
        }),
      )
      .min(1)
      .max(4),
  }),
  validate: ({ questions }) => {
    const ids = questions.map((question) => question.id);
    const doubled = ids.find((id, index) => ids.indexOf(id) !== index);
    if (doubled !== undefined)
      throw new ToolError('invalid_input', `Two questions have the id "${doubled}".`, {
        next: 'Give each question its own id.',
      });
  },
  title: ({ questions }) => `ask: ${questions[0]?.question.slice(0, 80) ?? ''}`,
  execute: async ({ questions }, { user, signal }) => {
    const asked = questions.map(({ free_text, options, ...question }) => ({
      ...question,
      freeText: free_text,
      options: options.map(({ label, description, recommended }) => ({
        label,
        ...(description === undefined ? {} : { description }),
        ...(recommended === undefined ? {} : { recommended }),
      })),
    }));
    const answers = await user.ask(asked, signal);
    return { content: answers.map(describe).join('\n'), data: { answers } };
  },
});

function describe(answer: Answer): string {
  const chosen = [...answer.labels, ...(answer.freeText === null ? [] : [JSON.stringify(answer.freeText)])].join(', ');
  return `${answer.id}: ${chosen === '' ? 'no choice' : chosen} (by ${answer.answeredBy}, ${new Date(answer.answeredAt).toISOString()})`;
}
