import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { FailedAttempts } from './failures/failure-log';
import { providerFetch } from './provider-fetch';

/** An address of this machine whose server has closed. */
async function closedHost(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

describe('providerFetch', () => {
  const ask = (host: string, init: RequestInit = {}) =>
    providerFetch()(`http://${host}/v1`, { method: 'POST', body: '{}', ...init });
  let warn: jest.SpyInstance;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => jest.restoreAllMocks());

  /** The log of a request that is not retried. */
  const logged = async (asked: Promise<Response>): Promise<unknown> => {
    const failed = new FailedAttempts();
    await asked.then(undefined, (error: unknown) => failed.add(error));
    failed.log(false);
    return warn.mock.calls;
  };

  it('keeps for the log which address cannot be reached, and why', async () => {
    const host = await closedHost();
    expect(await logged(ask(host))).toEqual([[`${host} could not be reached: ECONNREFUSED`]]);
  });

  it('finds the reason where fetch puts it', async () => {
    const host = await closedHost();
    const asked = providerFetch(fetch)(`http://${host}/v1`);
    expect(await logged(asked)).toEqual([[`${host} could not be reached: ECONNREFUSED`]]);
  });

  it('keeps nothing of a request that was given up', async () => {
    const asked = ask(await closedHost(), { signal: AbortSignal.abort() });
    expect(await logged(asked)).toEqual([]);
  });
});
