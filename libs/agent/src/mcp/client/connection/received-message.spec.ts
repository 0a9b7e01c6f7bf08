import { prepareMessage, rawList, rawStructured } from './received-message';

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
    expect(rawStructured(result)).toEqual({ icons });
    expect(result).toMatchObject({ content: [], tools: [] });
    expect(result).not.toHaveProperty('structuredContent');
  });

  it('becomes an error if its other members are too large', () => {
    const message = { jsonrpc, id: 1, result: { serverInfo: { icons } } };
    expect(prepareMessage(message)?.message).toBe(REFUSAL);
    expect(message).toEqual({ jsonrpc, id: 1, error: { code: -32_603, message: REFUSAL } });
  });

  it('keeps the code and the start of the message of an error that is too large', () => {
    const said = 'No such order. '.repeat(100_000);
    const message = { jsonrpc, id: 1, error: { code: -32_602, message: said, data: icons } };
    expect(prepareMessage(message)).toBeUndefined();
    const { code, message: kept, ...rest } = message.error;
    expect({ code, rest }).toEqual({ code: -32_602, rest: {} });
    expect(said.startsWith(kept)).toBe(true);
    expect(kept).toHaveLength(10_000);
  });

  it('loses parameters that are too large, and is answered', () => {
    const message = { jsonrpc, id: 1, method: 'roots/list', params: { icons } };
    expect(prepareMessage(message)).toBeUndefined();
    expect(message).toEqual({ jsonrpc, id: 1, method: 'roots/list' });
  });
});
