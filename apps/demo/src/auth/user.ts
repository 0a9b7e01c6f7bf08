export type Role = 'developer' | 'admin';

/** Who is logged in; what the JWT guard puts on `request.user`. */
export interface User {
  readonly id: string;
  readonly role: Role;
}
