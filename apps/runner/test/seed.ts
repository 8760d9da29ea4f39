import { randomBytes, randomUUID } from 'node:crypto';
import type { ApprovalRequest } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import type { Caller, Role, Stores } from '../src/store/contract.ts';
import { createSecretBox } from '../src/store/secret-box.ts';
import { createStores } from '../src/store/stores.ts';

export function testStores(database: Database): Stores {
  return createStores(database, createSecretBox(randomBytes(32)));
}

export async function seedOrganization(database: Database, slug: string): Promise<string> {
  const id = `org-${slug}-${randomUUID().slice(0, 8)}`;
  await database.prisma.organization.create({ data: { id, name: slug, slug: id } });
  return id;
}

export async function seedMember(
  database: Database,
  organizationId: string,
  name: string,
  role: Role,
  approver = false,
): Promise<Caller> {
  const userId = randomUUID();
  await database.prisma.user.create({ data: { id: userId, name, email: `${name}-${userId}@example.test` } });
  await database.prisma.member.create({ data: { id: randomUUID(), organizationId, userId, role, approver } });
  return { organizationId, userId, role, approver };
}

export function seedSession(stores: Stores, caller: Caller, title = 'Session'): Promise<string> {
  return stores.sessions.createSession({ caller, title, mode: 'agent', modelId: null, visibility: 'private' });
}

export function approvalRequest(callId: string, digest = `digest-${callId}`): ApprovalRequest {
  return {
    callId,
    level: 'required',
    reason: 'It runs a command.',
    subject: {
      tool: 'run_command',
      toolVersion: '1',
      input: { command: 'ls' },
      cwd: '.',
      env: [],
      paths: [],
      hosts: [],
      imageDigest: '',
      preconditions: [],
    },
    digest,
    canonicalText: '{"command":"ls"}',
    sessionScope: { fingerprint: 'ls', words: 'ls with any arguments', examples: ['ls -la'] },
    title: 'ls',
  };
}
