import { AgentDepth, DEPTH_HEADER } from './agent-depth';

const at = (depth: unknown) => ({ headers: { [DEPTH_HEADER]: depth } });

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
    expect(await nextInside(depth, '2')).toBe(3);
    expect(await nextInside(depth, '2', at('0'))).toBe(3);
    expect(await nextInside(depth, '1', at('2'))).toBe(3);
    await expect(nextInside(depth, '3')).rejects.toThrow('reached itself');
    expect(depth.next(undefined)).toBe(1);
  });

  it('is each handler’s own', async () => {
    const depth = new AgentDepth();
    const counts = await Promise.all(
      ['0', '1', '2', '0'].map((header) => nextInside(depth, header)),
    );
    expect(counts).toEqual([1, 2, 3, 1]);
  });
});
