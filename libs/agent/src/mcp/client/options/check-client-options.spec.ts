import { McpClientModule } from '../..';

function refusalOf(options: unknown): string {
  try {
    McpClientModule.forRoot(options as never);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const http = (more: object) => ({
  servers: { docs: { url: 'https://docs.example/mcp', ...more } },
});
const stdio = (more: object) => ({ servers: { files: { command: 'files', ...more } } });

describe('the options of McpClientModule', () => {
  it('may all be there, or none', () => {
    const common = {
      prefix: '',
      tools: {
        include: ['a*'],
        exclude: ['b'],
        rename: { a: 'c' },
        options: { a: { permission: () => 'ask', retry: { maxAttempts: 1 }, group: 'g' } },
      },
      trust: true,
      permission: 'allow',
      instructions: false,
      required: true,
      connectTimeoutMs: 1,
      timeoutMs: 1,
      maxTotalMs: Infinity,
      maxTools: Infinity,
      maxSchemaBytes: 1,
    };
    expect(refusalOf(http({ ...common, headers: { 'x-key': 'k' }, authProvider: {} }))).toBe('');
    expect(refusalOf(http({ headers: () => ({}) }))).toBe('');
    expect(refusalOf(stdio({ ...common, args: [''], env: { A: '' }, cwd: '/' }))).toBe('');
    expect(refusalOf({ servers: {} })).toBe('');
  });

  it.each([
    [{}, /options needs servers/],
    [{ servers: { docs: {} } }, /options\.servers\.docs needs either url or command/],
    [http({ command: 'x' }), /options\.servers\.docs needs either url or command/],
    [{ servers: { 'a b': { command: 'x' } } }, /options\.servers must be an object of servers/],
    [http({ url: 'docs.example' }), /docs\.url must be an absolute http or https address/],
    [http({ url: 'file:///etc/passwd' }), /docs\.url/],
    [http({ url: 'https://user:pass@docs.example' }), /docs\.url/],
    [http({ headers: { host: 'a' } }), /docs\.headers\.host is a header that the module sets/],
    [http({ headers: { 'Mcp-Session-Id': 'a' } }), /docs\.headers\.Mcp-Session-Id/],
    [http({ headers: { 'x-key': 5 } }), /docs\.headers\.x-key/],
    [http({ args: [] }), /docs\.args is no option/],
    [stdio({ headers: {} }), /files\.headers is no option/],
    [stdio({ env: { A: 1 } }), /files\.env\.A/],
    [stdio({ prefix: 'a-' }), /files\.prefix must be at most 40 letters/],
    [stdio({ permission: 'alow' }), /files\.permission must be .*not "alow"/],
    [stdio({ tools: { options: { a: { permision: 'deny' } } } }), /did you mean permission/],
    [stdio({ timeout: 5 }), /files\.timeout is no option; did you mean timeoutMs/],
    [stdio({ maxTools: 0 }), /files\.maxTools/],
  ])('are told where they are wrong: %j', (options, message) => {
    expect(refusalOf(options)).toMatch(/^McpClientModule cannot start: /);
    expect(refusalOf(options)).toMatch(message);
  });

  it('are told by no value that may be a secret', () => {
    const message = refusalOf({
      servers: {
        a: { url: 'https://me:hunter2@docs.example' },
        b: { url: 'https://docs.example', headers: { host: 'hunter2' } },
        c: { command: 'x', env: 'hunter2' },
      },
    });
    expect(message).toMatch(/a\.url.*b\.headers\.host.*c\.env/);
    expect(message).not.toContain('hunter2');
  });

  it('of forRootAsync need a factory', () => {
    const refuse = (options: unknown) => () => McpClientModule.forRootAsync(options as never);
    expect(refuse({})).toThrow(/options needs useFactory/);
    expect(refuse({ useFactory: {} })).toThrow(/options\.useFactory must be a function/);
    expect(refuse({ usefactory: () => ({}) })).toThrow(/did you mean useFactory/);
  });
});
