export type Role = 'owner' | 'admin' | 'member' | 'viewer';
/** Who asks, as the stores need to know it. */
export type Caller = { organizationId: string; userId: string; role: Role; approver: boolean };

/** Owners, administrators and approvers also act on what belongs to others; everybody else only on their own. */
export function actsForOthers({ role, approver }: Caller): boolean {
  return approver || role === 'owner' || role === 'admin';
}
