import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { providerFetch } from './provider-fetch';

/** An address of this machine where nobody listens any more. */
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

  it('logs which address cannot be reached, and why', async () => {
    const host = await closedHost();
    await expect(ask(host)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(warn.mock.calls).toEqual([[`${host} could not be reached: ECONNREFUSED`]]);
  });

  it('finds the reason where fetch puts it', async () => {
    const host = await closedHost();
    await expect(providerFetch(fetch)(`http://${host}/v1`)).rejects.toThrow('fetch failed');
    expect(warn.mock.calls).toEqual([[`${host} could not be reached: ECONNREFUSED`]]);
  });

  it('logs nothing of a request that was given up', async () => {
    await expect(ask(await closedHost(), { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(warn).not.toHaveBeenCalled();
  });
});
