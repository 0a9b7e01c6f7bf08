import { randomBytes } from 'node:crypto';

/** Without JWT_SECRET, tokens are valid until the next start. */
export const SECRET = process.env.JWT_SECRET ?? randomBytes(32).toString('hex');
