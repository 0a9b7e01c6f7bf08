import { Controller, Get, Logger, Param, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AGENT_MODEL,
  AgentModule,
  AgentService,
  getAgentToken,
  Tool,
  type AgentModuleOptions,
} from '.';

@Controller('orders')
class OrdersController {
  @Get(':id')
  @Tool({ description: 'Find an order' })
  find(@Param('id') id: string): string {
    return id;
  }
}

describe('an application with two modules of agents', () => {
  it('is warned once of each thing that both of them meet', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const imports = [AgentModule.forRoot({}), AgentModule.forRoot({ path: 'staff' })];
    const testing = Test.createTestingModule({ imports, controllers: [OrdersController] });
    const app = await (await testing.compile()).createNestApplication().init();
    await app.close();
    const begun = warn.mock.calls.map(([text]) => String(text).slice(0, 15));
    jest.restoreAllMocks();
    expect(begun.sort()).toEqual(['No guard checks', 'No model is con', 'Some tools may ']);
  });
});

describe('an application that configures no model', () => {
  const key = process.env['OPENAI_API_KEY'];
  beforeEach(() => delete process.env['OPENAI_API_KEY']);
  afterEach(() => {
    jest.restoreAllMocks();
    if (key !== undefined) process.env['OPENAI_API_KEY'] = key;
  });

  const boot = async (options: AgentModuleOptions, others: readonly DynamicModule[] = []) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const imports = [AgentModule.forRoot(options), ...others];
    const app = await Test.createTestingModule({ imports })
      .compile()
      .then((testing) => testing.init());
    const warnings = () =>
      warn.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('No model'));
    return { app, warnings };
  };

  it.each(['agent', '/'])(
    'is warned at boot where the agent has endpoints, at %s',
    async (path) => {
      const { app, warnings } = await boot({ path });
      expect(warnings()).toHaveLength(1);
      await app.close();
    },
  );

  it('is warned once, whatever number of agents and modules it has', async () => {
    const support = AgentModule.forFeature({ name: 'support' });
    const others = ['sales', 'stock'].map((name) => ({
      module: class OtherModule {},
      imports: [AgentModule.forFeature({ name }), support],
    }));
    const { app, warnings } = await boot({}, others);
    for (const name of ['support', 'sales', 'stock']) {
      await app.get<AgentService>(getAgentToken(name)).chat({ message: 'Hello' });
    }
    expect(warnings()).toHaveLength(1);
    await app.close();
  });

  it('is warned once of two modules with endpoints', async () => {
    const { app, warnings } = await boot({}, [AgentModule.forRoot({ path: 'staff' })]);
    expect(warnings()).toHaveLength(1);
    await app.close();
  });

  it('is warned once of modules with endpoints and without', async () => {
    const { app, warnings } = await boot({ path: false, isGlobal: false }, [
      AgentModule.forRoot({ path: 'staff' }),
    ]);
    await app.get(AgentService).chat({ message: 'Hello' });
    expect(warnings()).toHaveLength(1);
    await app.close();
  });

  it('is warned again for another application of the process', async () => {
    for (const count of [1, 2]) {
      const { app, warnings } = await boot({});
      expect(warnings()).toHaveLength(count);
      await app.close();
    }
  });

  it('is warned once a model is asked where the agent has none', async () => {
    const { app, warnings } = await boot({ path: false });
    expect(warnings()).toEqual([]);
    for (const said of ['Hello', 'Hello again']) {
      const { message, status } = await app.get(AgentService).chat({ message: said });
      expect([status, message]).toEqual(['completed', expect.stringMatching(/\w/)]);
    }
    expect(warnings()).toHaveLength(1);
    await app.close();
  });

  it('is not warned with a key, or with a model', async () => {
    process.env['OPENAI_API_KEY'] = 'sk-test';
    const { app, warnings } = await boot({});
    expect(app.get<{ readonly provider?: string }>(AGENT_MODEL).provider).toBe('openai');
    expect(warnings()).toEqual([]);
    await app.close();
    delete process.env['OPENAI_API_KEY'];
  });
});
