import type { Request } from 'express';
import type { User } from './user';

/** A request before the JWT guard has (or has not) let it in. */
export type AuthenticatedRequest = Request & { user?: User };
