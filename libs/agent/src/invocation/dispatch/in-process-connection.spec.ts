import { InProcessConnection } from './in-process-connection';

const REQUEST = { method: 'GET', path: '/', headers: {} };

/** What comes of it is no matter here; each is closed before its response. */
function open(): InProcessConnection {
  const connection = new InProcessConnection(REQUEST, { isEncrypted: false });
  connection.routeResponse.catch(() => undefined);
  return connection;
}

describe('a connection inside the process', () => {
  // Streams need it.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick'] }));
  afterEach(() => jest.useRealTimers());

  it('counts its time-out from the last byte that was written', () => {
    const connection = open();
    const timedOut = jest.fn();
    connection.setTimeout(100, timedOut);
    jest.advanceTimersByTime(99);
    connection.write('HTTP/1.1 200 OK\r\n');
    jest.advanceTimersByTime(99);
    expect(timedOut).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(timedOut).toHaveBeenCalledTimes(1);
    connection.destroy();
  });

  it('takes a time-out back, with whoever waited for it', () => {
    const connection = open();
    const timedOut = jest.fn();
    connection.setTimeout(100, timedOut).setTimeout(0, timedOut);
    expect(jest.getTimerCount()).toBe(0);
    expect(connection.listenerCount('timeout')).toBe(0);
    connection.destroy();
  });

  it('leaves no timer behind', () => {
    const connection = open();
    connection.setTimeout(100);
    expect(jest.getTimerCount()).toBe(1);
    connection.destroy();
    expect(jest.getTimerCount()).toBe(0);
  });
});
