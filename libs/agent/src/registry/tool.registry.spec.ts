import { Logger } from '@nestjs/common';
import { IsString } from 'class-validator';
import type { JsonObject } from '../message';
import type { Tool, ToolDefinition, ToolInvocation } from '../tool';
import { defineTool } from './runtime-tools/define-tool';
import type { RegistryChange } from './registrations';
import { ToolRegistry } from './tool.registry';

const ping: ToolDefinition = {
  name: 'ping',
  description: 'Answer pong',
  input_schema: { type: 'object', properties: { text: { type: 'string' } } },
};

function decorated(name: string, source: string, group?: string): Tool {
  return { ...defineTool({ name, description: name, execute: () => name }), source, group };
}

describe('ToolRegistry', () => {
  it('registers a definition with its handler, and hands out frozen definitions', () => {
    const registry = new ToolRegistry();
    const definition = registry.register(ping, () => 'pong', { readOnly: true });
    expect(registry.list()).toEqual([definition]);
    expect(registry.get('ping')).toBe(definition);
    expect(definition.input_schema.additionalProperties).toBe(false);
    expect(Object.isFrozen(definition)).toBe(true);
    expect(Object.isFrozen(definition.input_schema.properties?.['text'])).toBe(true);
    expect(Object.isFrozen(ping)).toBe(false);
    expect(registry.find('ping')?.traits).toEqual({
      readOnly: true,
      destructive: false,
      idempotent: false,
      concurrencySafe: true,
      openWorld: false,
    });
  });

  it('gives the handler the type of its input, declared or inferred from a class', async () => {
    const registry = new ToolRegistry();
    const run = async (name: string, input: JsonObject): Promise<unknown> => {
      const tool = registry.find(name);
      const args = await tool?.bind(input);
      return tool?.invoke({ args } as ToolInvocation);
    };
    registry.register<{ text: string }>(ping, ({ text }) => text.toUpperCase());
    expect(await run('ping', { text: 'pong' })).toBe('PONG');

    class Greeting {
      @IsString()
      name!: string;

      get words(): string {
        return `Hello ${this.name}`;
      }
    }
    const definition = registry.register(
      { name: 'greet', description: 'Greet somebody', input: Greeting },
      (greeting) => greeting.words,
      { readOnly: true },
    );
    expect(definition.input_schema).toMatchObject({ required: ['name'] });
    expect(registry.find('greet')?.traits.readOnly).toBe(true);
    expect(await run('greet', { name: 'Ada' })).toBe('Hello Ada');
    await expect(run('greet', { name: 1 })).rejects.toThrow('Invalid arguments');

    const unknown = { name: 'x', description: 'x', input: Greeting };
    // @ts-expect-error the class has no such property
    registry.register(unknown, ({ nothing }) => nothing as string);
  });

  it('is not fooled by names that every object has', () => {
    const registry = new ToolRegistry();
    for (const name of ['constructor', '__proto__', 'hasOwnProperty', '']) {
      expect(registry.get(name)).toBeUndefined();
      expect(registry.unregister(name)).toBe(false);
    }
  });

  it('lists every problem of a definition in one error', () => {
    const registry = new ToolRegistry();
    const broken = {
      name: 'broken',
      description: ' ',
      input_schema: { type: 'array', properties: [], required: 'a' },
      output_schema: 1,
      parameters: {},
    } as unknown as ToolDefinition;
    const problem =
      /broken.*"description".*input_schema.type.*output_schema.*unknown key "parameters".*properties.*required/s;
    expect(() => registry.register(broken, () => 1)).toThrow(problem);
    expect(() => registry.register(null as never, () => 1)).toThrow(/object/);
    expect(() => registry.register({ ...ping, name: 7 as never }, () => 1)).toThrow(/"name"/);
    expect(() => registry.register(ping, undefined as never)).toThrow(/handler/);
    expect(registry.list()).toEqual([]);
  });

  it('refuses options that a tool or a toolkit does not take', () => {
    const registry = new ToolRegistry();
    const definition = { name: 'pay', description: 'Pay', input_schema: { type: 'object' } };
    expect(() => registry.register(definition, () => 'paid', { visible: true } as never)).toThrow(
      'run-time tool "pay": visible must be a function, not true',
    );
    expect(() =>
      registry.registerToolkit({ name: 'bank', description: 'Money', prefx: 'bank_' } as never),
    ).toThrow('Toolkit "bank": prefx is no option; did you mean prefix?');
    expect(registry.list()).toEqual([]);
    const bank = { name: 'bank', description: 'Money' };
    registry.registerToolkit(bank);
    expect(() => registry.replaceToolkit({ ...bank, grup: 'money' } as never)).toThrow(
      'Toolkit "bank": grup is no option; did you mean group?',
    );
  });

  it('names the tool whose schemas are no JSON', () => {
    const schema = { type: 'object', note: () => 'no' };
    const good = { name: 'fetch_it', description: 'Fetches', input_schema: { type: 'object' } };
    for (const wrong of [{ input_schema: schema }, { output_schema: schema }]) {
      expect(() => new ToolRegistry().register({ ...good, ...wrong }, () => 1)).toThrow(
        'run-time tool "fetch_it": not a tool definition: its schemas must be JSON',
      );
    }
  });

  it('names both places of a clash and proposes a prefix', () => {
    const registry = new ToolRegistry();
    registry.add(decorated('find', 'OrdersController.find'));
    expect(() => registry.add(decorated('find', 'UsersController.find'))).toThrow(
      /"find": OrdersController\.find and UsersController\.find\. .*\{ prefix \}\)\.$/s,
    );
  });

  it('names the reason of a clash between classes of the same name', () => {
    const registry = new ToolRegistry();
    registry.add(decorated('users_find', 'UsersController.find'));
    expect(() => registry.add(decorated('users_find', 'UsersController.find'))).toThrow(
      'Two tools have the name "users_find": UsersController.find in two classes of the same name. Rename one with @Tool({ name }) or in exposeControllers, or set a prefix with @Toolkit({ prefix }). Or give each class a name of its own, and have your bundler keep it.',
    );
  });

  it('unregisters run-time tools and refuses for decorated ones', () => {
    const registry = new ToolRegistry();
    registry.register(ping, () => 'pong');
    registry.add(decorated('find', 'OrdersController.find'));
    expect(registry.search('pong').map(({ name }) => name)).toEqual(['ping']);
    expect(registry.unregister('ping')).toBe(true);
    expect(registry.unregister('ping')).toBe(false);
    expect(registry.search('pong')).toEqual([]);
    expect(() => registry.unregister('find')).toThrow(/OrdersController\.find.*decorator/);
    expect(registry.tools()).toHaveLength(1);
  });

  it('maps a foreign name reversibly, and finds the tool by both', () => {
    const registry = new ToolRegistry();
    const first = registry.register({ ...ping, name: 'Class.method' }, () => 1);
    const second = registry.register({ ...ping, name: 'Class-method' }, () => 2);
    const long = registry.register({ ...ping, name: `${'x'.repeat(100)}a` }, () => 3);
    const other = registry.register({ ...ping, name: `${'x'.repeat(100)}b` }, () => 4);
    const names = [first, second, long, other].map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_]{1,64}$/);
    expect(registry.get('Class.method')).toBe(first);
    expect(registry.get(first.name)).toBe(first);
    expect(registry.find(first.name)?.foreignName).toBe('Class.method');
    expect(registry.unregister('Class-method')).toBe(true);
    expect(registry.get(second.name)).toBeUndefined();
  });

  it('searches names, descriptions, parameters and groups, the best first', () => {
    const registry = new ToolRegistry();
    const make = (name: string, description: string, parameter = 'id') =>
      registry.register(
        {
          name,
          description,
          input_schema: { type: 'object', properties: { [parameter]: { type: 'string' } } },
        },
        () => 1,
        { group: name === 'deploy' ? 'operations' : undefined },
      );
    make('list_orders', 'List all orders');
    make('getInvoice', 'Get one bill', 'invoiceNumber');
    make('deploy', 'Roll a version out');
    const hits = (query: string) => registry.search(query).map(({ name }) => name);
    expect(hits('order')[0]).toBe('list_orders');
    expect(hits('show my ORDERS')[0]).toBe('list_orders');
    expect(hits('invoice number')[0]).toBe('getInvoice');
    expect(hits('operations')).toEqual(['deploy']);
    expect(hits('')).toEqual([]);
    expect(hits('zzz')).toEqual([]);
  });

  it('keeps groups, refuses bad ones and warns of those that are missing', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const registry = new ToolRegistry(undefined, [
      { name: 'admin', description: 'Administration', active: false, selectable: true },
    ]);
    registry.createGroup({ name: 'basic', description: 'Basics', active: true });
    registry.updateGroup('basic', { active: false });
    expect(registry.groups().map(({ name, active }) => [name, active])).toEqual([
      ['admin', false],
      ['basic', false],
    ]);
    expect(registry.groups()).toBe(registry.groups());
    expect(() => registry.createGroup({ name: 'basic', description: 'x', active: true })).toThrow(
      /already/,
    );
    expect(() => registry.createGroup({ name: '', description: '', active: 1 } as never)).toThrow(
      /name.*description.*active/,
    );
    expect(() => registry.updateGroup('basic', { selectable: 1, hidden: true } as never)).toThrow(
      'Tool group "basic": "selectable" must be true or false; unknown key "hidden".',
    );
    expect(() => registry.updateGroup('none', {})).toThrow(
      expect.objectContaining({
        code: 'group_not_found',
        message: expect.stringContaining('none'),
      }),
    );
    registry.add(decorated('audit', 'AdminController.audit', 'admins'));
    registry.onApplicationBootstrap();
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/AdminController\.audit.*"admins"/));
    warn.mockRestore();
  });

  it('registers all tools of a toolkit or none', () => {
    const built = [decorated('one', 'Kit.one'), decorated('two', 'Kit.two')];
    const registry = new ToolRegistry({ build: () => built, complete: (tool) => tool });
    registry.register({ ...ping, name: 'two' }, () => 2);
    class Kit {}
    expect(() => registry.registerToolkit(new Kit())).toThrow(/"two"/);
    expect(registry.get('one')).toBeUndefined();
    registry.unregister('two');
    expect(registry.registerToolkit(new Kit()).map(({ name }) => name)).toEqual(['one', 'two']);
    expect(registry.unregister('one')).toBe(true);
    expect(() => new ToolRegistry().registerToolkit(new Kit())).toThrow(/AgentModule/);
  });

  it('gives no instance the place of another one, whose tools it would remove', () => {
    class Kit {
      constructor(readonly tools: readonly Tool[]) {}
    }
    const build = (kit: object) => (kit as Kit).tools;
    const registry = new ToolRegistry({ build, complete: (tool) => tool });
    registry.registerToolkit(new Kit([decorated('one', 'Kit.one')]));
    expect(() => registry.registerToolkit(new Kit([decorated('two', 'Kit.two')]))).toThrow(
      'There is a toolkit "Kit" already.',
    );
    expect(registry.list().map(({ name }) => name)).toEqual(['one']);
    registry.unregisterToolkit('Kit');
    registry.registerToolkit(new Kit([decorated('two', 'Kit.two')]));
    expect(registry.list().map(({ name }) => name)).toEqual(['two']);
  });

  describe('changes', () => {
    function watched(registry: ToolRegistry): RegistryChange[] {
      const changes: RegistryChange[] = [];
      registry.changes.subscribe((change) => changes.push(change));
      return changes;
    }

    const none = { added: [], removed: [], replaced: [] };
    const named = (name: string, answer = name): Tool =>
      defineTool({ name, description: answer, execute: () => answer });

    it('are told once per call, with the names that tools have', () => {
      const registry = new ToolRegistry();
      const changes = watched(registry);
      const { name } = registry.register(named('a.b'));
      registry.replace(named('a.b', 'other'));
      expect(registry.get(name)?.description).toBe('other');
      registry.unregister('a.b');
      registry.unregister('a.b');
      expect(changes).toEqual([
        { ...none, added: [name] },
        { ...none, replaced: [name] },
        { ...none, removed: [name] },
      ]);
    });

    it('of a refused call are none', () => {
      const registry = new ToolRegistry();
      registry.add(decorated('fixed', 'Orders.fixed'));
      const changes = watched(registry);
      expect(() => registry.replace(named('fixed'))).toThrow(/Orders\.fixed.*decorator/);
      expect(() => registry.replace(named('nobody'))).toThrow(/register\(\)/);
      expect(() => registry.register(named('fixed'))).toThrow(/"fixed"/);
      expect(changes).toEqual([]);
    });

    it('keep the place and the group of a tool that is replaced', () => {
      const registry = new ToolRegistry();
      registry.register({ ...named('one'), group: 'numbers' });
      registry.register(named('two'));
      const before = registry.tools();
      registry.replace(named('one', 'new'));
      expect(registry.tools().map(({ definition }) => definition.description)).toEqual([
        'new',
        'two',
      ]);
      expect(registry.find('one')?.group).toBe('numbers');
      // Whoever began with the old ones has them still.
      expect(before[0]?.definition.description).toBe('one');
    });

    it('of a toolkit come together', () => {
      const registry = new ToolRegistry();
      registry.register(named('taken'));
      const changes = watched(registry);
      const kit = { name: 'kit', description: 'A kit', prefix: 'kit_', group: 'extra' };
      const about = { ...kit, instructions: 'Be brief.' };
      registry.registerToolkit({ ...about, tools: [named('one'), named('two')] });
      expect(registry.find('kit_one')).toMatchObject({
        group: 'extra',
        toolkit: { name: 'kit', description: 'A kit', instructions: 'Be brief.' },
      });
      expect(() => registry.registerToolkit(kit)).toThrow(/"kit" already/);
      const tools = [named('two', 'newer'), named('three')];
      registry.replaceToolkit({ ...kit, tools });
      expect(registry.list().map(({ name }) => name)).toEqual(['taken', 'kit_two', 'kit_three']);
      expect(() =>
        registry.replaceToolkit({ ...kit, prefix: '', tools: [named('taken')] }),
      ).toThrow(/"taken"/);
      expect(registry.get('kit_two')?.description).toBe('newer');
      registry.unregister('kit_three');
      registry.register(named('kit_three'));
      expect(registry.unregisterToolkit('kit')).toBe(true);
      expect(registry.unregisterToolkit('kit')).toBe(false);
      expect(() => registry.replaceToolkit(kit)).toThrow(/registerToolkit\(\)/);
      expect(changes).toEqual([
        { ...none, added: ['kit_one', 'kit_two'] },
        { added: ['kit_three'], removed: ['kit_one'], replaced: ['kit_two'] },
        { ...none, removed: ['kit_three'] },
        { ...none, added: ['kit_three'] },
        { ...none, removed: ['kit_two'] },
      ]);
    });
  });
});
