import type { Database } from '@oneslot/db';
import { z } from 'zod';
import type { Me, MemberStore } from './contract.ts';

const roleColumn = z.enum(['owner', 'admin', 'member', 'viewer']);

export function createMemberStore({ prisma }: Database): MemberStore {
  return {
    findSignedIn: async (authSessionId, now) => {
      const session = await prisma.authSession.findFirst({
        where: { id: authSessionId, expiresAt: { gt: now } },
        select: {
          activeOrganizationId: true,
          user: { include: { members: { include: { organization: true }, orderBy: { createdAt: 'asc' } } } },
        },
      });
      if (!session) return null;
      const { user } = session;
      const member = user.members.find((one) => one.organizationId === session.activeOrganizationId) ?? user.members[0];
      return member ? toMe(user, member) : null;
    },
  };
}

type UserRow = { id: string; name: string; email: string; locale: string | null };
type MemberRow = { role: string; approver: boolean; organization: { id: string; name: string; slug: string } };

function toMe(user: UserRow, member: MemberRow): Me {
  const { id, name, slug } = member.organization;
  return {
    user: { id: user.id, name: user.name, email: user.email, locale: user.locale },
    organization: { id, name, slug },
    role: roleColumn.parse(member.role),
    approver: member.approver,
  };
}
