import type { Role } from '../store/contract.ts';
import { publicProcedure } from '../trpc.ts';

export type MeAnswer = {
  user: { id: string; name: string; email: string };
  organization: { id: string; name: string; slug: string };
  role: Role;
  approver: boolean;
  csrfToken: string;
  locale: string | null;
};

export const me = publicProcedure.query(({ ctx }): MeAnswer | null => {
  if (!ctx.signedIn) return null;
  const { me: person, csrfToken } = ctx.signedIn;
  const { id, name, email, locale } = person.user;
  return {
    user: { id, name, email },
    organization: person.organization,
    role: person.role,
    approver: person.approver,
    csrfToken,
    locale,
  };
});
