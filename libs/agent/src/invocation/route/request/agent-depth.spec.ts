import { AsyncLocalStorage } from 'node:async_hooks';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { AgentDepth, DEPTH_HEADER } from './agent-depth';

const at = (depth: unknown) => ({ headers: { [DEPTH_HEADER]: depth } });

/** A request as Express hands it on. */
function received(depth: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers[DEPTH_HEADER] = depth;
  return request;
}

/** The count of a call made by a route's handler, after it waited. */
function nextInside(depth: AgentDepth, header: string, request?: unknown): Promise<number> {
  return new Promise((resolve) => {
    depth.enter({ headers: { [DEPTH_HEADER]: header } }, () => {
      resolve(afterATurn(() => depth.next(request)));
    });
  });
}

async function afterATurn<T>(work: () => T): Promise<T> {
  await new Promise(setImmediate);
  return work();
}

describe('the depth of an agent', () => {
  it('begins at 1, with a chat request or without', () => {
    const depth = new AgentDepth();
    expect([depth.next(undefined), depth.next({}), depth.next({ headers: {} })]).toEqual([1, 1, 1]);
  });

  it('counts on from the header of the chat request', () => {
    const depth = new AgentDepth();
    expect([depth.next(at('0')), depth.next(at('2'))]).toEqual([1, 3]);
  });

  it.each(['3', '4', '-1', 'x', '1x', '', ['1', '1'], 1])(
    'ends with %j in the header',
    (header) => {
      expect(() => new AgentDepth().next(at(header))).toThrow('reached itself');
    },
  );

  it('counts on inside a handler that hands no request on, or a made-up one', async () => {
    const depth = new AgentDepth();
    expect(depth.next(undefined)).toBe(1);
    expect(await nextInside(depth, '2')).toBe(3);
    expect(await nextInside(depth, '2', at('0'))).toBe(3);
    expect(await nextInside(depth, '1', at('2'))).toBe(3);
    await expect(nextInside(depth, '3')).rejects.toThrow('reached itself');
    expect(depth.next(undefined)).toBe(1);
  });

  it('needs no async context while each call has the request of a client', async () => {
    const run = jest.spyOn(AsyncLocalStorage.prototype, 'run');
    const depth = new AgentDepth();
    expect(await nextInside(depth, '1', received('1'))).toBe(2);
    expect(await nextInside(depth, '2', { ...at('2'), raw: received('2') })).toBe(3);
    expect(run).not.toHaveBeenCalled();
    // One without it is counted from now on.
    expect(await nextInside(depth, '2')).toBe(1);
    expect(await nextInside(depth, '2')).toBe(3);
    expect(run).toHaveBeenCalledTimes(1);
    run.mockRestore();
  });

  it('is each handler’s own', async () => {
    const depth = new AgentDepth();
    depth.next(undefined);
    const counts = await Promise.all(
      ['0', '1', '2', '0'].map((header) => nextInside(depth, header)),
    );
    expect(counts).toEqual([1, 2, 3, 1]);
  });
});
