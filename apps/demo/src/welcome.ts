import { DEMO_USERS } from './auth/users.seed';

const RIGHTS = {
  developer: 'read and deploy their own applications',
  admin: 'read, deploy, roll back and delete every application',
} as const;

/** The text that the demo prints once it listens. */
export function welcome(address: string): string {
  return `
The demo listens on ${address}

${DEMO_USERS.map(({ id, password, role }) => `  ${id.padEnd(7)} ${password.padEnd(14)} may ${RIGHTS[role]}`).join('\n')}

Open it in a browser, or log in and chat here:

${chatCommand(address)}
`;
}

/** A shell command that logs alice in and chats. It needs nothing but curl and cut. */
export function chatCommand(address: string): string {
  const json = `-H 'content-type: application/json'`;
  const user = `{"username":"alice","password":"alice-secret"}`;
  return `curl -s ${address}/agent/chat ${json} \\
  -H "authorization: Bearer $(curl -s ${address}/auth/login ${json} \\
    -d '${user}' | cut -d '"' -f 4)" \\
  -d '{"message":"what applications do I have"}'`;
}
