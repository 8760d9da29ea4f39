import type { Prisma } from '@oneslot/db';
import { actsForOthers, type Caller } from './caller.ts';

// Who sees what, in one place. A session is seen by its owner, or by the whole organization where it was opened to it.
// A request for approval is seen by the session's owner and by everybody who answers for others, whatever the session's
// visibility: the exact bytes, which they must judge, and never the conversation around them.

/** Sessions this person may open. */
export function visibleTo({ organizationId, userId }: Caller): Prisma.SessionWhereInput {
  return { organizationId, OR: [{ visibility: 'organization' }, { ownerId: userId }] };
}

/** The same rule for SQL over a session `s`, with the parameters of `answerableParameters`. */
export const visibleSql = `(s.visibility = 'organization' OR s."ownerId" = $2)`;

/** Requests `a` of a session `s` this person may see and answer. */
export const answerableSql = `a."organizationId" = $1 AND s.id = a."sessionId" AND (s."ownerId" = $2 OR $3::boolean)`;

export function answerableParameters(caller: Caller): unknown[] {
  return [caller.organizationId, caller.userId, actsForOthers(caller)];
}
