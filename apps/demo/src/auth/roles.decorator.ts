import { Reflector } from '@nestjs/core';
import type { Role } from './user';

/** The roles that may use a route. A route without it is open to every logged-in user. */
export const Roles = Reflector.createDecorator<Role[]>();
