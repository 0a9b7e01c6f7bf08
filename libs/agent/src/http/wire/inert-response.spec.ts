import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { makeInert } from './inert-response';

/** A response as Express has it: methods of the application on its prototype. */
function response(): ServerResponse & Record<string, (...args: unknown[]) => unknown> {
  const raw = new ServerResponse(new IncomingMessage(new Socket()));
  const prototype = Object.create(ServerResponse.prototype) as Record<string, unknown>;
  prototype['json'] = () => raw.end('from the application');
  return Object.setPrototypeOf(raw, prototype) as ReturnType<typeof response>;
}

describe('makeInert', () => {
  it('drops what others write, by methods of every origin', () => {
    const raw = response();
    const ofMiddleware = jest.fn();
    raw.end = ofMiddleware;
    makeInert(raw);
    raw.write('x');
    raw.end('x');
    raw.json?.({});
    expect(raw.writeHead(500)).toBe(raw);
    expect(ofMiddleware).not.toHaveBeenCalled();
    expect([raw.headersSent, raw.statusCode]).toEqual([false, 200]);
  });

  it('takes headers until the answer begins', () => {
    const raw = response();
    const begin = raw.writeHead.bind(raw);
    makeInert(raw);
    raw.setHeader('x-before', '1');
    begin(200);
    expect(() => raw.setHeader('x-after', '1')).not.toThrow();
    expect([raw.getHeader('x-before'), raw.getHeader('x-after')]).toEqual(['1', undefined]);
  });

  it('sets headers by the methods that its prototype has by then', () => {
    const [first, second] = [response(), response()];
    const prototype = Object.getPrototypeOf(first) as ServerResponse;
    Object.setPrototypeOf(second, prototype);
    makeInert(first);
    const traced = jest.fn();
    prototype.setHeader = traced;
    makeInert(second);
    second.setHeader('x', '1');
    expect(traced).toHaveBeenCalledWith('x', '1');
  });

  it('gives a response back as it was', () => {
    const raw = response();
    const ofMiddleware = jest.fn();
    raw.end = ofMiddleware;
    const prototype: unknown = Object.getPrototypeOf(raw);
    makeInert(raw)();
    expect(raw.end).toBe(ofMiddleware);
    expect(Object.getPrototypeOf(raw)).toBe(prototype);
    expect(Object.keys(raw)).not.toContain('writeHead');
  });
});
