import { Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, AgentService, defineTool, offline, ToolRegistry } from 'nestjs-agent';
import { agentOptions } from '../apps/demo/src/agent/agent.options';
import { PlatformModule } from '../apps/demo/src/platform.module';

const MANY = 500;

/** The demo among hundreds of other tools, of which the model is told only how to find them. */
describe('the demo with hundreds of tools and details on demand', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    @Module({
      imports: [
        PlatformModule,
        AgentModule.forRoot({
          ...agentOptions(),
          model: offline({ deltaDelayMs: 0 }),
          sessions: {},
          tools: { details: 'onDemand' },
        }),
      ],
    })
    class AppModule {}
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication({ logger: false });
    const registry = app.get(ToolRegistry);
    await app.listen(0, '127.0.0.1');
    for (let index = 0; index < MANY; index += 1) {
      registry.register(
        defineTool({
          name: `archive_${index}`,
          description: `Read shelf ${index} of the archive. It holds nothing of interest to anybody.`,
          input: {
            type: 'object',
            properties: { page: { type: 'integer', description: 'The page to read' } },
            required: ['page'],
          },
          readOnly: true,
          execute: ({ page }) => page,
        }),
      );
    }
    url = await app.getUrl();
  }, 30_000);
  afterAll(() => app.close());

  it.each([
    ['what applications do I have', 'list_applications', /demo-app/],
    ['show me failed workflows for demo-app', 'list_workflows', /demo-app/],
    ['add 2 and 40', 'add', /42/],
  ])('%s: finds %s by searching', async (message, tool, answer) => {
    const headers = { 'content-type': 'application/json' };
    const credentials = { username: 'alice', password: 'alice-secret' };
    const login = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify(credentials),
    });
    const { access_token } = (await login.json()) as { access_token: string };
    const response = await fetch(`${url}/agent/chat`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${access_token}` },
      body: JSON.stringify({ message }),
    });
    const body = (await response.json()) as {
      message: string;
      toolCalls: readonly { name: string; isError: boolean }[];
    };
    expect(body.toolCalls.map(({ name }) => name)).toEqual(['search_tools', tool]);
    expect(body.toolCalls.every(({ isError }) => !isError)).toBe(true);
    expect(body.message).toMatch(answer);
  });

  it('tells callers of every tool as ever', async () => {
    const tools = await app.get(AgentService).tools({ principal: 'alice' });
    const names = tools.map(({ name }) => name);
    const archives = Array.from({ length: MANY }, (_, index) => `archive_${index}`);
    expect(names).toEqual(expect.arrayContaining([...archives, 'get_application']));
  });
});
