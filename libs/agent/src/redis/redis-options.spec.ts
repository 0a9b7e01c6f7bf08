import { Redis } from 'ioredis';
import { redisBus } from '.';
import { settingsOf, type RedisBusOptions } from './redis-options';

const url = 'redis://127.0.0.1:1';

describe('the options of redisBus()', () => {
  it('have defaults', () => {
    expect(settingsOf({ url })).toEqual({
      source: url,
      prefix: 'agent',
      retainMs: 60_000,
      flushMs: 50,
    });
  });

  it.each<[unknown, string]>([
    [{}, 'options must have either url or client'],
    [{ url, client: { duplicate: () => undefined } }, 'options must have either url or client'],
    [{ url: 'http://127.0.0.1' }, 'options.url must be an address such as'],
    [{ client: {} }, 'options.client must be a Redis or a Cluster of ioredis'],
    [{ url, prefix: 'a{b}' }, 'options.prefix must be a text without braces'],
    [{ url, prefix: '' }, 'options.prefix must be a text without braces'],
    [{ url, retainMs: 0 }, 'options.retainMs must be a whole number above 0'],
    [{ url, flushMs: -1 }, 'options.flushMs must be a number, 0 or more'],
    [{ url, retainMS: 1 }, 'options.retainMS is no option; did you mean retainMs?'],
  ])('are refused where they do not fit: %j', (options, problem) => {
    expect(() => redisBus(options as RedisBusOptions)).toThrow(problem);
  });

  it('do not tell the password of an address', () => {
    const call = () => redisBus({ url: 'redis//:canary@127.0.0.1' });
    expect(call).toThrow('options.url');
    expect(call).not.toThrow('canary');
  });

  it('open no connection before the application boots', async () => {
    const bus = redisBus({ url });
    expect(bus.follow('run', 0)).toBeUndefined();
    await expect(bus.signal('run', { type: 'stop' })).rejects.toThrow();
    await bus.close?.();
  });

  it("keep a client's own rule for new connections, beside that for a primary that became a replica", () => {
    const reconnectOnError = ({ message }: Error) => message.startsWith('OWN') && 2;
    const client = new Redis({ lazyConnect: true, reconnectOnError });
    const duplicate = jest.spyOn(client, 'duplicate');
    redisBus({ client });
    const rule = duplicate.mock.calls[0]?.[0]?.reconnectOnError;
    const errors = ['OWN error', 'READONLY replica', 'ERR'].map((text) => new Error(text));
    expect(errors.map((error) => rule?.(error))).toEqual([2, true, false]);
  });

  it('name the command that installs ioredis', () => {
    jest.isolateModules(() => {
      jest.doMock('ioredis', () => {
        throw Object.assign(new Error("Cannot find module 'ioredis'"), {
          code: 'MODULE_NOT_FOUND',
        });
      });
      expect(() => redisBus({ url })).toThrow(
        'redisBus() needs ioredis. Install with: npm install ioredis',
      );
    });
  });
});
