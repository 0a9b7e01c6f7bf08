import type { Readable } from 'node:stream';
import type {
  StdioClientTransport,
  StdioServerParameters,
} from '@modelcontextprotocol/client/stdio';
import { settledWithin } from '../../../internal';
import type { McpClientStdioOptions } from '../options';
import { Lines, type LineReader } from './lines';
import { loadStdioPeer } from './load-peer';
import { MAX_CHECKED_BYTES } from './response-bounds';

/** The time between SIGTERM and SIGKILL. */
const TERM_MS = 5_000;
/** The time for a killed process to exit. */
const KILL_MS = 1_000;

/** The transport of one child process. Its stderr goes to `log`, line by line. */
export function stdioTransport(
  { command, args, env, cwd }: McpClientStdioOptions,
  log: LineReader,
): StdioClientTransport {
  const peer = loadStdioPeer();
  const parameters: StdioServerParameters = {
    command,
    ...(args !== undefined && { args: [...args] }),
    ...(env !== undefined && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
    stderr: 'pipe',
  };
  const transport = new peer.StdioClientTransport(parameters);
  // From the same parameters, the client starts a program that answers its first question only.
  parameters.maxBufferSize = MAX_CHECKED_BYTES;
  const stderr = transport.stderr as Readable;
  stderr.on('error', () => undefined);
  stderr.on('data', new Lines(log).add);
  return transport;
}

/**
 * Ends the process: SIGTERM, and SIGKILL after 5 s.
 *
 * @param pid `null` if it has not started
 * @param closed resolves when the process is gone and its pipes are closed
 */
export async function endProcess(pid: number | null, closed: Promise<unknown>): Promise<void> {
  // The id of a process that is gone may be another's by now.
  if (pid === null || (await settledWithin(closed, 0))) return;
  signal(pid, 'SIGTERM');
  if (await settledWithin(closed, TERM_MS)) return;
  signal(pid, 'SIGKILL');
  await settledWithin(closed, KILL_MS);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited already.
  }
}
