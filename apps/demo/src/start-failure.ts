import { SessionStoreError } from 'nestjs-agent';
import { DataDirInUseError } from 'nestjs-agent/sql';

const WAYS_ON = `For the demo that is, with the first one left running, one of these:

  DATA_DIR=.data/second PORT=3001 npm start
  DATABASE_URL=postgres://user@127.0.0.1:5432/database PORT=3001 npm start
`;
const WITHOUT_SERVER =
  'That is the server of DATABASE_URL. Without it the demo keeps its sessions in a folder.\n';

/** The remedy for a failed start that the user can fix; `undefined` for any other. */
export function startFailure(error: unknown): string | undefined {
  if (error instanceof DataDirInUseError) return `\n${error.message}\n\n${WAYS_ON}`;
  if (error instanceof SessionStoreError) return `\n${error.message}\n${WITHOUT_SERVER}`;
  if (isPortTaken(error)) {
    return `\nAnother program listens on port ${error.port}. Choose another one:\n\n  PORT=${error.port + 1} npm start\n`;
  }
  return undefined;
}

function isPortTaken(error: unknown): error is { readonly port: number } {
  return (error as { readonly code?: unknown } | undefined)?.code === 'EADDRINUSE';
}
