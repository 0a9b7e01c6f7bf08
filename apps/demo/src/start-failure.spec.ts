import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { SessionStoreError } from 'nestjs-agent';
import { DataDirInUseError } from 'nestjs-agent/sql';
import { startFailure } from './start-failure';

describe('startFailure', () => {
  it('names another port where that one is taken', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    const second = createServer().listen(port, '127.0.0.1');
    const [error] = (await once(second, 'error')) as [unknown];
    first.close();
    expect(startFailure(error)).toContain(`port ${port}. Choose`);
    expect(startFailure(error)).toContain(`PORT=${port + 1} npm start`);
  });

  it('says how to go on without the server of DATABASE_URL', () => {
    const error = new SessionStoreError('store_unavailable', 'It is away.');
    expect(startFailure(error)).toMatch(/It is away\.\n.*DATABASE_URL/);
  });

  it('says how two demos run at once', () => {
    expect(startFailure(new DataDirInUseError('.data/sessions', 'nestjs-agent-0.lock'))).toMatch(
      /DATA_DIR=\S+ PORT=3001/,
    );
  });

  it('leaves every other failure to its stack', () => {
    expect(startFailure(new Error('no idea'))).toBeUndefined();
  });
});
