type ReconnectRule = (error: Error) => boolean | 1 | 2;

/**
 * A rule of `ioredis` that replaces a connection whose primary became a replica: its address leads to
 * another server then.
 *
 * @param own the application's rule for other errors
 */
export function reconnectOnReplica(own?: ReconnectRule | null): ReconnectRule {
  return (error) => (own?.(error) ?? false) || error.message.includes('READONLY');
}
