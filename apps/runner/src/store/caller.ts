export type Role = 'owner' | 'admin' | 'member' | 'viewer';
/** Who asks, as the stores need to know it. */
export type Caller = { organizationId: string; userId: string; role: Role; approver: boolean };
