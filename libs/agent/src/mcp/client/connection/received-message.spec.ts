import { prepareMessage, rawList } from './received-message';

const jsonrpc = '2.0';
const icons = Array.from({ length: 200_000 }, () => 1);
const REFUSAL = 'A message of the MCP server exceeds 262144 bytes';

describe('a message of a server', () => {
  it('has a description of the server that the client does not check', () => {
    const result = {
      content: [],
      _meta: {
        'io.modelcontextprotocol/serverInfo': { name: 'x', icons },
        'io.modelcontextprotocol/subscriptionId': 1,
      },
    };
    expect(prepareMessage({ jsonrpc, result })).toBeUndefined();
    expect(result._meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': 1 });
  });

  it('may have long lists and structured content', () => {
    const result = { content: icons, tools: icons, structuredContent: { icons } };
    expect(prepareMessage({ jsonrpc, result })).toBeUndefined();
    expect(rawList(result, 'content')).toBe(icons);
    expect(rawList(result, 'tools')).toBe(icons);
    expect(result).toMatchObject({ content: [], tools: [], structuredContent: { icons } });
  });

  it('becomes an error if its other members are too large', () => {
    const message = { jsonrpc, id: 1, result: { serverInfo: { icons } } };
    expect(prepareMessage(message)?.message).toBe(REFUSAL);
    expect(message).toEqual({ jsonrpc, id: 1, error: { code: -32_603, message: REFUSAL } });
  });

  it('is dropped if it is no result', () => {
    const params = { notifications: { resourceSubscriptions: icons } };
    const message = { jsonrpc, method: 'notifications/subscriptions/acknowledged', params };
    expect(() => prepareMessage(message)).toThrow(REFUSAL);
  });
});
