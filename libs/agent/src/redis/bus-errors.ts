import { AgentError } from '../tool';

/** The first word of Redis's reply when it refuses a command, such as `NOAUTH`. */
const REFUSAL = /^([A-Z]{3,20}) /;

/** An `ioredis` error without its own text, which may contain a command's arguments, such as a password. */
export function asBusError(error: unknown): AgentError {
  const isRefusal = error instanceof Error && error.name === 'ReplyError';
  const code = isRefusal ? REFUSAL.exec(error.message)?.[1] : undefined;
  return new AgentError(
    'bus_unavailable',
    isRefusal
      ? `Redis refuses messages${code === undefined ? '' : ` (${code})`}.`
      : 'Redis cannot be reached.',
  );
}
