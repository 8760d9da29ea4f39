'use client';
import { createAuthClient } from 'better-auth/client';

/** Same origin as the page; the cookie it sets is read by the runner only. */
export const authClient = createAuthClient();
