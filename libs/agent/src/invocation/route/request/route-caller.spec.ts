import { keepClient } from './chat-request';
import { callerOf } from './route-caller';

describe("a route call's caller", () => {
  const socket = { remoteAddress: '10.0.0.7', destroyed: false };

  it('has the address that the application determines', () => {
    expect(callerOf({ ip: '203.0.113.9', socket })).toMatchObject({ remoteAddress: '203.0.113.9' });
  });

  it("has the connection's address where the application's plugin leaves an empty one", () => {
    expect(callerOf({ ip: '', socket })).toMatchObject({ remoteAddress: '10.0.0.7' });
  });

  it("keeps the connection's address, when it is closed, in place of an empty one", () => {
    const request: { ip: string; socket: object } = { ip: '', socket };
    keepClient(request);
    request.socket = { destroyed: true };
    expect(callerOf(request)).toMatchObject({ remoteAddress: '10.0.0.7' });
  });
});
