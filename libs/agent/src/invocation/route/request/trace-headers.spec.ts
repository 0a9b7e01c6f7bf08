import { traceHeadersOf, withTrace } from './trace-headers';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('trace headers of a route call', () => {
  it('are those of a trace alone, with valid values', () => {
    const written = {
      traceparent: TRACE,
      tracestate: 'a=1\r\nx-admin: 1',
      baggage: 1,
      'x-admin': '1',
    };
    expect(traceHeadersOf(written as never)).toEqual({ traceparent: TRACE });
  });

  it("take the place of the chat request's, all or none", () => {
    const headers = { authorization: 'x', traceparent: 'old', tracestate: 'old', baggage: 'old' };
    expect(withTrace(headers, { traceparent: TRACE, tracestate: 'a=1' })).toEqual({
      authorization: 'x',
      traceparent: TRACE,
      tracestate: 'a=1',
    });
    expect(withTrace(headers, { baggage: 'new' })).toBe(headers);
  });
});
