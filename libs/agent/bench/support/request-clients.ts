// Sends requests to a server from a separate process, so that the server's figures exclude clients.
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** One kind of request to one endpoint. */
export interface SentMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Either a number of calls whose answers are read, or a number of streams that stay open. */
export interface ClientsTask extends SentMessage {
  readonly type: 'calls' | 'streams';
  readonly count: number;
  /** A text of the body that is replaced by a new one in each request. */
  readonly fresh?: string;
}

/** Sent when all calls are answered, or all streams have sent their first event. */
export interface ClientsDone {
  readonly answer: string;
}

const CONCURRENT = 4;

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

async function send({ url, headers, body }: SentMessage): Promise<IncomingMessage> {
  const sending = request(url, { method: 'POST', agent, headers });
  sending.end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

let sent = 0;

async function callAll({ count, fresh, ...message }: ClientsTask): Promise<string> {
  let left = count;
  let answer = '';
  const next = (): SentMessage => {
    if (fresh === undefined) return message;
    sent += 1;
    return { ...message, body: message.body.replace(fresh, `${fresh}-${sent}`) };
  };
  const callInTurn = async (): Promise<void> => {
    while (left-- > 0) answer = await text(await send(next()));
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
