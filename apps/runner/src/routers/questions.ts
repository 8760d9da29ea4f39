import { HostError } from '@oneslot/core';
import { z } from 'zod';
import { memberProcedure, notFound, router } from '../trpc.ts';
import { callId, sessionId, text } from './inputs.ts';
import { requireOwnSession } from './own-session.ts';

const answer = z.strictObject({
  id: text(200),
  labels: z.array(text(500)).max(20),
  freeText: text(10_000).nullable(),
});

export const questionsRouter = router({
  answer: memberProcedure
    .input(z.strictObject({ sessionId, callId, answers: z.array(answer).min(1).max(10) }))
    .mutation(async ({ ctx, input }): Promise<{ state: 'answered' }> => {
      await requireOwnSession(ctx, input.sessionId);
      const question = await ctx.stores.questions.findQuestion(input.sessionId, input.callId);
      if (!question) throw notFound('question');
      const answeredAt = ctx.clock.now();
      const answers = input.answers.map((one) => ({ ...one, answeredBy: ctx.caller.userId, answeredAt }));
      if (!(await ctx.stores.questions.answerQuestion(input.sessionId, input.callId, answers))) {
        throw new HostError('conflict', 'This question is already closed.');
      }
      await ctx.log.append(input.sessionId, [{ kind: 'question-answered', callId: input.callId, answers }]);
      ctx.services.sessions.wake(input.sessionId);
      return { state: 'answered' };
    }),
});
