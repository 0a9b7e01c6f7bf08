import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Hands over each line that Redis' `MONITOR` prints: its `OK`, then each command in Redis' own escaped form.
 * ioredis' `monitor()` fails where another client's command arrives together with the `OK`.
 */
export const monitorRedis = async (
  url: string,
  onLine: (line: string) => void,
): Promise<() => void> => {
  const { hostname, port, username, password } = new URL(url);
  const socket = connect(Number(port || 6379), hostname);
  const lines = createInterface(socket).on('line', onLine);
  if (password) socket.write(`AUTH ${username || 'default'} ${decodeURIComponent(password)}\r\n`);
  socket.write('MONITOR\r\n');
  const [first] = await once(lines, 'line');
  if (first !== '+OK') throw new Error(`Redis refused: ${first}`);
  return () => socket.destroy();
};
