// Calls an MCP server from a process of its own, so that the server's figures are its own.
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** One kind of message to one endpoint. */
export interface McpMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Either so many calls whose answers are read, or so many streams that stay open. */
export interface ClientsTask extends McpMessage {
  readonly type: 'calls' | 'streams';
  readonly count: number;
}

/** Once all calls are answered, or all streams have sent their first event. */
export interface ClientsDone {
  readonly answer: string;
}

const CONCURRENT = 4;

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

async function send({ url, headers, body }: McpMessage): Promise<IncomingMessage> {
  const sent = request(url, { method: 'POST', agent, headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

async function callAll({ count, ...message }: ClientsTask): Promise<string> {
  let left = count;
  let answer = '';
  const callInTurn = async (): Promise<void> => {
    while (left-- > 0) answer = await text(await send(message));
  };
  await Promise.all(Array.from({ length: CONCURRENT }, callInTurn));
  return answer;
}

async function openAll({ count, ...message }: ClientsTask): Promise<string> {
  const open = async (): Promise<string> => {
    const [first] = (await once(await send(message), 'data')) as [string];
    return first;
  };
  const [answer = ''] = await Promise.all(Array.from({ length: count }, open));
  return answer;
}

if (require.main === module) {
  process.on('message', (task: ClientsTask) => {
    const doing = task.type === 'calls' ? callAll(task) : openAll(task);
    void doing.then((answer) => process.send?.({ answer } satisfies ClientsDone));
  });
}
