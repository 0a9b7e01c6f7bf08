export type Role = 'developer' | 'admin';

/** The logged-in user, which the JWT guard puts on `request.user`. */
export interface User {
  readonly id: string;
  readonly role: Role;
}
