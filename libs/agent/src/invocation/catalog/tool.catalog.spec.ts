import { Logger } from '@nestjs/common';
import type { ToolGroup } from '../../registry';
import { resultText, type JsonObject, type Message } from '../../message';
import type { CallContext } from '../../tool';
import { engine, silenceLog, tool, type EngineOptions } from '../fixtures/engine';
import { catalogueText } from './catalogue-text';
import { revealedTools } from './revealed-tools';

beforeAll(silenceLog);

type App = ReturnType<typeof engine>;
const names = async (app: App, context: CallContext = {}) =>
  (await app.catalog.offered(context)).map(({ definition }) => definition.name);
const call = async (app: App, name: string, input: JsonObject = {}, context: CallContext = {}) => {
  const { response } = await app.calls.create(name, input, context);
  return response.status === 'pending' ? response.execute() : response;
};

describe('what a caller is offered', () => {
  it('leaves out what is denied to everybody, and keeps what is denied to some', async () => {
    const app = engine({
      tools: [tool('a', () => 1), tool('b', () => 1), tool('c', () => 1, { permission: 'deny' })],
      permissions: { b: () => 'deny', 'x_*': 'deny' },
    });
    expect(await names(app)).toEqual(['a', 'b']);
  });

  it('leaves out what the module shows to others only, which is no tool then', async () => {
    const app = engine({
      tools: [
        tool('a', () => 1),
        tool('b', () => 1, { visible: ({ principal }) => principal === 'alice' }),
        tool('c', () => 1, { readOnly: true }),
      ],
      defaults: { details: 'onDemand' },
      visible: ({ definition, traits }, { principal }) => {
        if (definition.name === 'a') throw new Error('Nobody knows.');
        return traits.readOnly || principal !== 'bob';
      },
    });
    const builtins = ['search_tools', 'tool_detail'];
    expect(await names(app, { principal: 'alice' })).toEqual(['b', 'c', ...builtins]);
    expect(await names(app, { principal: 'carol' })).toEqual(['c', ...builtins]);
    expect(await names(app, { principal: 'bob' })).toEqual(['c', ...builtins]);
    expect((await call(app, 'b', {}, { principal: 'bob' })).status).toBe('not_found');
  });

  it('does not ask the module about tools of the browser', async () => {
    const app = engine({ visible: () => false });
    const mine = { ...tool('mine', () => 1), origin: 'client' as const };
    expect(await names(app, { tools: [mine, tool('given', () => 1)] })).toEqual(['mine']);
  });

  it('keeps the built-in tools on offer whatever the default permission is', async () => {
    const groups = [{ name: 'more', description: 'More', active: false, selectable: true }];
    const options = { groups, defaults: { details: 'onDemand' } } as const;
    const builtins = ['search_tools', 'tool_detail', 'reset_equipped_tools'];
    const denying = engine({
      ...options,
      defaultPermission: 'deny',
      builtins: { diagnostics: true },
    });
    expect(await names(denying)).toEqual(builtins);
    const asking = engine({ ...options, defaultPermission: 'ask' });
    expect((await call(asking, 'search_tools', { query: 'a' })).status).toBe('executed');
    const named = engine({ ...options, permissions: { search_tools: 'deny' } });
    expect(await names(named)).toEqual(builtins.slice(1));
  });

  it('follows `visible`, for lists and for calls alike', async () => {
    const secret = tool('secret', () => 1, { visible: ({ principal }) => principal === 'bob' });
    const broken = tool('broken', () => 1, {
      visible: () => {
        throw new Error('no');
      },
    });
    const app = engine({ tools: [secret, broken] });
    expect(await names(app, { principal: 'bob' })).toEqual(['secret']);
    expect(await names(app, { principal: 'alice' })).toEqual([]);
    expect((await call(app, 'secret', {}, { principal: 'bob' })).status).toBe('executed');
    const refused = await app.calls.create('secret', {}, { principal: 'alice' });
    expect(refused.response.status).toBe('not_found');
    expect(refused.tool).toBeUndefined();
    expect((await call(app, 'broken')).status).toBe('not_found');
  });

  it('asks `visible` with a call that has no arguments and cannot run', async () => {
    const app = engine({
      tools: [
        tool('a', () => 1, {
          visible: ({ call, signal, request }) => {
            expect(call).toMatchObject({ name: 'a', input: {}, response: { attempts: 0 } });
            expect(signal.aborted).toBe(false);
            void expect(call.response.execute()).rejects.toMatchObject({ code: 'not_pending' });
            return request === 'chat';
          },
        }),
      ],
    });
    expect(await names(app, { request: 'chat' })).toEqual(['a']);
  });

  it("has the run's own tools too, before the registry's", async () => {
    const app = engine({ tools: [tool('a', () => 'registry')] });
    const context = { tools: [tool('mine', () => 'mine')] };
    expect(await names(app, context)).toEqual(['a', 'mine']);
    expect((await call(app, 'mine', {}, context)).result).toBe('mine');
    expect((await call(app, 'mine')).status).toBe('not_found');
    const shadowing = { tools: [tool('a', () => 'run')] };
    expect(await names(app, shadowing)).toEqual(['a']);
    expect((await call(app, 'a', {}, shadowing)).result).toBe('run');
  });
});

describe('groups', () => {
  const groups: ToolGroup[] = [
    { name: 'basic', description: 'Basics', active: true },
    { name: 'admin', description: 'Administration', active: false, selectable: true },
    { name: 'reports', description: 'Reports', active: false, selectable: true },
    { name: 'internal', description: 'Internal', active: false },
  ];
  const app = () =>
    engine({
      groups,
      tools: [
        tool('free', () => 1),
        ...groups.map(({ name }) => tool(`${name}_tool`, () => name, { group: name })),
        tool('lost', () => 1, { group: 'nowhere' }),
      ],
    });

  it('offers ungrouped tools and those of active groups', async () => {
    const all = app();
    expect(await names(all)).toEqual(['free', 'basic_tool', 'reset_equipped_tools']);
    expect(await names(all, { activeGroups: ['admin'] })).toEqual([
      'free',
      'admin_tool',
      'reset_equipped_tools',
    ]);
  });

  it('refuses calls to the tools of an inactive group', async () => {
    const all = app();
    expect(await call(all, 'admin_tool')).toMatchObject({
      status: 'declined',
      error: { code: 'group_inactive' },
    });
    expect((await call(all, 'admin_tool', {}, { activeGroups: ['admin'] })).result).toBe('admin');
  });

  it('offers the meta tool only once there is something to select', async () => {
    const bare = engine({ groups: groups.filter(({ selectable }) => selectable !== true) });
    expect(await names(bare)).toEqual([]);
    bare.registry.createGroup({
      name: 'late',
      description: 'Late',
      active: false,
      selectable: true,
    });
    expect(await names(bare)).toEqual(['reset_equipped_tools']);
    bare.registry.updateGroup('late', { selectable: false });
    expect(await names(bare)).toEqual([]);
  });

  it('sets the final set among the selectable groups and leaves the others as they are', async () => {
    const activateGroups = jest.fn();
    const context = { activateGroups, activeGroups: ['basic', 'reports'] };
    const response = await call(app(), 'reset_equipped_tools', { to_activate: ['admin'] }, context);
    expect(response).toMatchObject({ status: 'executed' });
    expect(response.content).toContain('admin_tool');
    expect(activateGroups).toHaveBeenCalledWith(['basic', 'admin']);
    await call(app(), 'reset_equipped_tools', { to_activate: [] }, { activateGroups });
    expect(activateGroups).toHaveBeenLastCalledWith(['basic']);
  });

  it('lets nothing be activated that is not selectable', async () => {
    const activateGroups = jest.fn();
    for (const group of ['internal', 'basic', 'nowhere']) {
      const response = await call(
        app(),
        'reset_equipped_tools',
        { to_activate: [group] },
        { activateGroups },
      );
      expect(response.error?.code).toBe('invalid_arguments');
    }
    expect(activateGroups).not.toHaveBeenCalled();
    const homeless = await call(app(), 'reset_equipped_tools', { to_activate: [] });
    expect(homeless.content).toContain('without a session');
  });
});

describe('built-in tools', () => {
  it('are off by default, diagnostics included', async () => {
    expect(await names(engine())).toEqual([]);
    const app = engine({ builtins: { diagnostics: true } });
    expect(await names(app)).toEqual(['process_memory', 'process_event_loop', 'process_handles']);
    expect((await call(app, 'process_memory')).result).toMatchObject({
      heapUsed: expect.any(Number) as number,
    });
    expect((await call(app, 'process_event_loop')).result).toMatchObject({
      utilization: expect.any(Number) as number,
    });
    expect((await call(app, 'process_handles')).status).toBe('executed');
  });

  it("do not share a name with the application's", () => {
    const app = engine({
      defaults: { details: 'onDemand' },
      tools: [tool('tool_detail', () => 1)],
    });
    expect(() => app.catalog.check()).toThrow(/tool_detail/);
  });
});

describe('options that name tools', () => {
  const boot = (options: EngineOptions) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReset();
    engine({
      ...options,
      tools: [tool('a', () => 1), tool('Class.b', () => 1)],
    }).catalog.check();
    return warn.mock.calls.map(([text]) => String(text));
  };

  it('are warned of at boot where there is no such tool, since one may come later', () => {
    expect(boot({ presets: { a: {}, 'Class.b': {}, c: {}, d: {} } })).toEqual([
      expect.stringMatching(/^"presets" names unknown tools: c, d\./),
    ]);
    const permissions = { a: 'deny', 'Class.b': 'ask', 'x_*': 'deny', delete_al: 'deny' } as const;
    expect(boot({ permissions })).toEqual([
      expect.stringMatching(/^"permissions" names unknown tools: delete_al\./),
    ]);
  });

  it('may name built-in ones', () => {
    const options = { defaults: { details: 'onDemand' }, builtins: { diagnostics: true } } as const;
    expect(
      boot({ ...options, permissions: { search_tools: 'deny', process_memory: 'deny' } }),
    ).toEqual([]);
    expect(boot({ permissions: { process_memory: 'deny' } })).toHaveLength(1);
  });
});

describe('details on demand', () => {
  const hundreds = () =>
    Array.from({ length: 500 }, (_, index) =>
      tool(`task_${index}`, () => index, {
        description: `Perform task number ${index}. It takes a title and a priority and answers the task's number.`,
        input: {
          type: 'object',
          properties: {
            title: { type: 'string', description: 'What the task is about, in a few words' },
            priority: { type: 'string', enum: ['low', 'high'], description: 'How urgent it is' },
          },
          required: ['title'],
        },
      }),
    );
  const bytes = (tools: readonly { definition: unknown }[]) =>
    Buffer.byteLength(JSON.stringify(tools.map(({ definition }) => definition)));
  const sizes = async (app: App, messages: readonly Message[] = []) =>
    (await app.catalog.forModel({}, messages)).map(({ definition }) => definition.name);
  const used = (id: string, name: string, input: JsonObject, result: string): Message[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: result, is_error: false }],
    },
  ];

  it('are recommended, once, where a request has more tools than some providers take', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReset();
    const few = engine({ tools: hundreds().slice(0, 128) });
    const onDemand = engine({ tools: hundreds(), defaults: { details: 'onDemand' } });
    const all = engine({ tools: hundreds() });
    for (const { catalog } of [few, onDemand, all, all]) await catalog.forModel({}, []);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^A request to the model has 500 tools\..*details: 'onDemand'/)],
    ]);
  });

  it('sends at most a twentieth of the bytes of 500 tools', async () => {
    const full = await engine({ tools: hundreds() }).catalog.forModel({}, []);
    const app = engine({ tools: hundreds(), defaults: { details: 'onDemand' } });
    const lean = await app.catalog.forModel({}, []);
    expect(lean.map(({ definition }) => definition.name)).toEqual(['search_tools', 'tool_detail']);
    expect(bytes(lean) / bytes(full)).toBeLessThan(0.05);
    expect(lean[0]?.definition.description).toContain('500 tools');
  });

  it('tells names with a summary where there are few', async () => {
    const app = engine({ tools: hundreds().slice(0, 5), defaults: { details: 'onDemand' } });
    expect((await app.catalog.forModel({}, []))[0]?.definition.description).toContain(
      'task_4: Perform task number 4.',
    );
  });

  it('finds tools, tells of them, and sends in full what was looked up', async () => {
    const app = engine({ tools: hundreds(), defaults: { details: 'onDemand' } });
    const found = await call(app, 'search_tools', { query: 'task number 77' });
    const hits = JSON.parse(resultText(found.content ?? '')) as { name: string; summary: string }[];
    expect(hits[0]).toEqual({ name: 'task_77', summary: 'Perform task number 77.' });
    expect(hits.length).toBeLessThanOrEqual(8);
    const messages = used('c1', 'search_tools', { query: 'x' }, resultText(found.content ?? ''));
    expect(await sizes(app, messages)).toContain('task_77');
    const detail = await call(app, 'tool_detail', { name: 'task_3' });
    expect(detail.result).toMatchObject({ name: 'task_3', input_schema: { required: ['title'] } });
    expect(await sizes(app, used('c1', 'tool_detail', { name: 'task_3' }, 'x'))).toContain(
      'task_3',
    );
    expect((await call(app, 'tool_detail', { name: 'nothing' })).status).toBe('failed');
    expect((await call(app, 'task_9', { title: 'x' })).result).toBe(9);
  });

  it('finds and tells nothing that the caller is not offered', async () => {
    const hidden = tool('hidden_treasure', () => 1, { visible: () => false });
    const app = engine({ tools: [hidden], defaults: { details: 'onDemand' } });
    expect((await call(app, 'search_tools', { query: 'treasure' })).result).toEqual([]);
    expect((await call(app, 'tool_detail', { name: 'hidden_treasure' })).status).toBe('failed');
    expect(catalogueText([], 1_000)).toBe('');
  });

  it('remembers the tools looked up last, and survives results that are no list', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      used(`c${index}`, 'tool_detail', { name: `t${index}` }, '{}'),
    ).flat();
    const revealed = revealedTools([...many, ...used('s', 'search_tools', {}, 'Sorry')]);
    expect(revealed.has('t39')).toBe(true);
    expect(revealed.has('t0')).toBe(false);
  });
});
