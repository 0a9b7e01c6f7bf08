import { Controller, Get, Injectable } from '@nestjs/common';
import {
  AgentService,
  defineTool,
  Tool,
  ToolCallFactory,
  ToolRegistry,
  type RegisteredTool,
  type ToolOptions,
} from 'nestjs-agent';
import type { RegistryChange, RuntimeToolkit } from 'nestjs-agent/types';
import request from 'supertest';
import { Closers } from './http/agent-app';

const alice = { authorization: 'Bearer alice' };

function issue(name: string, options: object = {}): RegisteredTool {
  return defineTool({ name, description: `The tool ${name}`, ...options, execute: () => name });
}

const SHOWN = { title: 'Weather', openWorld: true };

@Controller('weather')
class WeatherController {
  @Tool({ name: 'weather_route', description: 'Tell the weather', ...SHOWN })
  @Get()
  now(): string {
    return 'rain';
  }
}

@Injectable()
class WeatherTools {
  @Tool({ description: 'Tell the weather', ...SHOWN })
  weather_method(): string {
    return 'rain';
  }
}

const GITHUB: RuntimeToolkit = {
  name: 'github',
  description: 'Issues and pull requests',
  prefix: 'github_',
  group: 'code',
  instructions: 'Name the repository in every answer.',
  tools: [issue('list', { readOnly: true, openWorld: true, title: 'List issues' }), issue('close')],
};

describe('a toolkit of run-time tools', () => {
  const apps = new Closers();
  afterEach(() => apps.close());

  async function setUp(isActive = true) {
    const { app, url, model } = await apps.open({
      steps: ['Hello.'],
      groups: [{ name: 'code', description: 'Code', active: isActive }],
      permissions: { 'github_c*': 'deny' },
    });
    const changes: RegistryChange[] = [];
    const registry = app.get(ToolRegistry);
    registry.changes.subscribe((change) => changes.push(change));
    registry.registerToolkit(GITHUB);
    const agent = app.get(AgentService);
    const names = async () =>
      (await agent.offeredTools())
        .map(({ definition }) => definition.name)
        .filter((name) => name.startsWith('github_'));
    return { agent, app, changes, model, names, registry, url };
  }

  it('is offered with its group, under the permissions of its names, and with its words', async () => {
    const { agent, model, names, url } = await setUp();
    // Denied tools are not on offer.
    expect(await names()).toEqual(['github_list']);
    const [tool] = (await agent.offeredTools()).filter(({ toolkit }) => toolkit?.name === 'github');
    expect(tool).toMatchObject({
      definition: { name: 'github_list', title: 'List issues', input_schema: { type: 'object' } },
      traits: { readOnly: true, openWorld: true },
      group: 'code',
    });
    await request(url).post('/agent/chat').set(alice).send({ message: 'hello' });
    expect(model.requests[0]?.system).toContain('Name the repository');

    const { body: listed } = await request(url).get('/agent/tools').set(alice);
    expect(listed).toContainEqual({
      name: 'github_list',
      title: 'List issues',
      description: 'The tool list',
      kind: 'function',
      group: 'code',
      readOnly: true,
      destructive: false,
      idempotent: false,
      openWorld: true,
    });

    const asleep = await setUp(false);
    expect(await asleep.names()).toEqual([]);
  });

  it('is replaced and removed at once, while calls go on with the tool they began with', async () => {
    const { app, changes, names, registry } = await setUp();
    const calls = app.get(ToolCallFactory);
    const begun = await calls.create('github_list', {});
    const answers = (answer: string): RegisteredTool =>
      defineTool({ name: 'list', description: 'Newer', execute: () => answer });
    registry.replaceToolkit({ ...GITHUB, tools: [answers('new'), issue('open')] });
    expect(await names()).toEqual(['github_list', 'github_open']);
    await begun.response.execute();
    const later = await calls.create('github_list', {});
    await later.response.execute();
    expect([begun.response.result, later.response.result]).toEqual(['list', 'new']);

    expect(registry.unregisterToolkit('github')).toBe(true);
    expect(await names()).toEqual([]);
    expect(changes).toEqual([
      { added: ['github_list', 'github_close'], removed: [], replaced: [] },
      { added: ['github_open'], removed: ['github_close'], replaced: ['github_list'] },
      { added: [], removed: ['github_list', 'github_open'], replaced: [] },
    ]);
  });

  it('of an instance is refused with an option that does not exist', async () => {
    class MisspeltTools {
      @Tool({ description: 'Pay', permision: 'ask' } as ToolOptions)
      pay(): void {}
    }
    const { registry } = await setUp();
    expect(() => registry.registerToolkit(new MisspeltTools())).toThrow(
      'MisspeltTools.pay: @Tool({ permision }) is no option; did you mean permission?',
    );
  });

  it('is offered without making an example for any tool', async () => {
    const { agent, registry } = await setUp();
    const read = jest.fn();
    const schema = { type: 'object' as const, properties: { at: { type: 'string' } } };
    const tool = defineTool({ name: 'spied', description: 'x', input: schema, execute: () => 1 });
    Object.defineProperty(tool, 'example', { get: read, enumerable: false });
    registry.register(tool);
    expect((await agent.offeredTools()).map(({ definition }) => definition.name)).toContain(
      'spied',
    );
    expect(read).not.toHaveBeenCalled();
  });
});

describe('title and openWorld', () => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it.each(['weather_route', 'weather_method'])('of %s are shown to clients', async (name) => {
    const { url } = await apps.open({
      controllers: [WeatherController],
      providers: [WeatherTools],
    });
    const { body } = await request(url).get(`/agent/tools/${name}`).set(alice);
    expect(body).toMatchObject(SHOWN);
  });
});
