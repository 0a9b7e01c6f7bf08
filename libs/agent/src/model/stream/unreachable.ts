import { Logger } from '@nestjs/common';

type Address = Parameters<typeof fetch>[0];

const logger = new Logger('AgentModel');

/** Tells the log which host gave no answer, and why. Clients read neither. */
export function logUnreachable(address: Address, error: unknown): void {
  logger.warn(`${hostOf(address)} could not be reached${reasonOf(error)}`);
}

export function hostOf(address: Address): string {
  const url = address instanceof Request ? address.url : String(address);
  return URL.canParse(url) ? new URL(url).host : 'The provider';
}

/** Its code alone, such as ECONNREFUSED: a message may quote what was sent. `fetch` wraps the error. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `: ${code}` : '';
}
