import { DEMO_USERS } from './auth/users.seed';

/**
 * What the demo prints when it is up. The two commands log in and chat as they stand; `sed` takes
 * the token out of the answer, so that nothing has to be installed for them.
 */
export function welcome(address: string): string {
  const [user] = DEMO_USERS;
  if (user === undefined) throw new Error('The demo has no users.');
  const { id, password } = user;
  return `
The demo listens on ${address}

  user    password       may
${DEMO_USERS.map((each) => `  ${each.id.padEnd(7)} ${each.password.padEnd(14)} ${RIGHTS[each.role]}`).join('\n')}

Log in, then chat:

TOKEN=$(curl -s ${address}/auth/login -H 'content-type: application/json' -d '{"username":"${id}","password":"${password}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s ${address}/agent/chat -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"message":"what applications do I have"}'
`;
}

const RIGHTS = {
  developer: 'read and deploy their own applications',
  admin: 'read, deploy, roll back and delete every application',
} as const;
