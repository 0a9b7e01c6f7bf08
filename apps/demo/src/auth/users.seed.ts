import type { User } from './user';

/** The demo's two users. The README lists their passwords; a real application stores only hashes. */
export const DEMO_USERS: readonly (User & { readonly password: string })[] = [
  { id: 'alice', role: 'developer', password: 'alice-secret' },
  { id: 'bob', role: 'admin', password: 'bob-secret' },
];
