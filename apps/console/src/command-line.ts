import { parseArgs } from 'node:util';
import { DEMO_USERS } from '../../demo/src/auth/users.seed';

const USERS = DEMO_USERS.map(({ id }) => id);

const USAGE = `Usage: npm run console -- [--user ${USERS.join('|')}] ["message"]

Without a message, you can write several, one a line.
`;

interface Command {
  readonly user: string;
  /** Empty for a conversation. */
  readonly message: string;
}

/** Printed in place of an answer. */
interface Explanation {
  readonly text: string;
  /** Whether the user asked for it; otherwise it follows a mistake. */
  readonly isWanted: boolean;
}

export function commandOf(args: readonly string[]): Command | Explanation {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        user: { type: 'string', default: 'alice' },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const { user, help } = values;
    if (help) return { text: USAGE, isWanted: true };
    if (!USERS.includes(user)) throw new Error(`There is no user "${user}".`);
    return { user, message: positionals.join(' ') };
  } catch (error) {
    return { text: `${(error as Error).message}\n\n${USAGE}`, isWanted: false };
  }
}
