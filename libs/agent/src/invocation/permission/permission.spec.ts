import { Logger } from '@nestjs/common';
import type { PermissionLevel, Tool, ToolCall } from '../../tool';
import { engine, silenceLog, tool, type EngineOptions } from '../fixtures/engine';
import { PermissionRules } from './permission-rules';

beforeAll(silenceLog);

const route = (name: string, readOnly: boolean): Tool => ({
  ...tool(name, () => name, { readOnly }),
  kind: 'route',
  ...(!readOnly && { defaultPermission: 'ask' }),
});

async function statusOf(subject: Tool, options: EngineOptions = {}, context = {}) {
  const { calls } = engine({ ...options, tools: [subject] });
  const { response } = await calls.create(subject.definition.name, {}, context);
  return response.status;
}

describe('permission by default', () => {
  it.each<[string, Tool, string]>([
    ['a function', tool('x', () => 1), 'pending'],
    ['a destructive function', tool('x', () => 1, { destructive: true }), 'awaiting_approval'],
    ['a read-only route', route('x', true), 'pending'],
    ['a writing route', route('x', false), 'awaiting_approval'],
  ])('of %s', async (_, subject, status) => {
    expect(await statusOf(subject)).toBe(status);
  });

  it('can be set, and gives way to whatever speaks of the tool', async () => {
    const plain = tool('x', () => 1);
    const allowed = tool('x', () => 1, { permission: 'allow' });
    const options = { defaultPermission: 'ask' } as const;
    expect(await statusOf(plain, options)).toBe('awaiting_approval');
    expect(await statusOf(allowed, options)).toBe('pending');
    expect(await statusOf(route('x', false), { permissions: { x: 'allow' } })).toBe('pending');
  });
});

describe('permission', () => {
  it('that is none of the three words denies', async () => {
    const misspelt = 'denied' as PermissionLevel;
    const choose = (): PermissionLevel => misspelt;
    expect(await statusOf(tool('x', () => 1, { permission: choose }))).toBe('declined');
    expect(
      await statusOf(
        tool('x', () => 1),
        { permissions: { x: misspelt } },
      ),
    ).toBe('declined');
  });

  it.each<[PermissionLevel | undefined, Record<string, PermissionLevel>, string]>([
    [undefined, { delete_order: 'ask' }, 'awaiting_approval'],
    [undefined, { 'delete_*': 'ask' }, 'awaiting_approval'],
    [undefined, { '*_order': 'deny' }, 'declined'],
    [undefined, { '*': 'ask', delete_order: 'allow' }, 'awaiting_approval'],
    ['ask', { 'delete_*': 'allow' }, 'awaiting_approval'],
    ['allow', { 'delete_*': 'deny' }, 'declined'],
    ['deny', { 'delete_*': 'allow' }, 'declined'],
    [undefined, { delete: 'deny', 'delete.order': 'deny', order: 'deny' }, 'pending'],
  ])('takes the strictest of %s and %j', async (permission, permissions, status) => {
    const subject = tool('delete_order', () => 1, permission && { permission });
    expect(await statusOf(subject, { permissions })).toBe(status);
  });

  it('knows a tool by either of its names', async () => {
    const mapped = tool('Orders.delete', () => 1);
    for (const pattern of ['Orders.delete', 'Orders.*']) {
      expect(await statusOf(mapped, { permissions: { [pattern]: 'deny' } })).toBe('declined');
    }
    const { name } = mapped.definition;
    expect(await statusOf(mapped, { permissions: { [name]: 'deny' } })).toBe('declined');
    expect(await statusOf(mapped, { permissions: { OrdersXdelete: 'deny' } })).toBe('pending');
  });

  it('asks functions with the call and its caller, promises too', async () => {
    const permission = jest.fn(
      (call: { input: Record<string, unknown> }, ctx: { principal?: string }) =>
        Promise.resolve<PermissionLevel>(
          ctx.principal === 'bob' ? 'allow' : Number(call.input['amount']) > 10 ? 'deny' : 'ask',
        ),
    );
    const pay = tool('pay', () => 1, {
      input: { type: 'object', properties: { amount: { type: 'number' } } },
    });
    const { calls } = engine({ tools: [pay], permissions: { pay: permission } });
    const status = async (amount: number, principal: string) =>
      (await calls.create('pay', { amount }, { principal })).response.status;
    expect(await status(99, 'bob')).toBe('pending');
    expect(await status(99, 'alice')).toBe('declined');
    expect(await status(1, 'alice')).toBe('awaiting_approval');
  });

  it.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('no database');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no database')) as never],
    ['answers something else', () => true as never],
    ['answers nothing', () => undefined as never],
  ])('denies where its function %s', async (_, permission) => {
    const error = jest.spyOn(Logger.prototype, 'error');
    expect(await statusOf(tool('x', () => 1, { permission }))).toBe('declined');
    expect(error).toHaveBeenCalledTimes(1);
    error.mockRestore();
  });

  it('denies where a function does not answer in time', async () => {
    jest.useFakeTimers();
    const permission = () => new Promise<never>(() => undefined);
    const { calls } = engine({ tools: [tool('x', () => 1, { permission })] });
    const created = calls.create('x', {});
    await jest.advanceTimersByTimeAsync(30_000);
    expect((await created).response.status).toBe('declined');
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('cannot be short-circuited by the function itself', async () => {
    const run = jest.fn();
    const permission = async (call: ToolCall) => {
      await expect(call.response.execute()).rejects.toMatchObject({ code: 'not_pending' });
      return 'ask' as const;
    };
    const { calls, records } = engine({ tools: [tool('x', run, { permission })] });
    const { response } = await calls.create('x', {});
    expect(response.status).toBe('awaiting_approval');
    expect(run).not.toHaveBeenCalled();
    expect(records).toEqual([]);
  });

  it('says that it is a matter of permission', async () => {
    const { calls } = engine({ tools: [tool('x', () => 1, { permission: () => 'deny' })] });
    const { response } = await calls.create('x', {});
    expect(response.error).toMatchObject({ code: 'permission_denied' });
    expect(response.content).toMatch(/permission/i);
    await expect(response.execute()).rejects.toMatchObject({ code: 'not_pending' });
  });
});

describe('approval', () => {
  const run = jest.fn(() => 'deleted');
  const risky = (options = {}) => tool('risky', run, { permission: 'ask', ...options });

  beforeEach(() => run.mockClear());

  it('is waited for: the call cannot run without', async () => {
    const { calls, records } = engine({ tools: [risky()] });
    const call = await calls.create('risky', {});
    expect(call.response.status).toBe('awaiting_approval');
    await expect(call.response.execute()).rejects.toMatchObject({ code: 'not_pending' });
    expect(run).not.toHaveBeenCalled();
    expect(records).toEqual([]);
    const approved = await calls.create('risky', {}, { approved: true });
    expect((await approved.response.execute()).status).toBe('executed');
    expect(records).toMatchObject([{ approval: 'approved', outcome: 'executed' }]);
  });

  it('is on record with a call that is refused after it, too', async () => {
    const { calls, records } = engine({ tools: [risky()] });
    await calls.create('gone', {}, { approved: true });
    await calls.create('risky', { unknown: 1 }, { approved: true });
    expect(records).toMatchObject([
      { outcome: 'not_found', approval: 'approved' },
      { outcome: 'failed', approval: 'approved' },
    ]);
  });

  it('can come with the call, and does not reach over a denial', async () => {
    expect(await statusOf(risky(), {}, { approved: true })).toBe('pending');
    const permissions = { risky: () => 'deny' as const };
    expect(await statusOf(risky(), { permissions }, { approved: true })).toBe('declined');
  });

  it('can be remembered, but not for what destroys, nor over a denial', async () => {
    const context = { rememberedTools: [{ name: 'risky' }] };
    expect(await statusOf(risky(), {}, context)).toBe('pending');
    expect(await statusOf(risky({ destructive: true }), {}, context)).toBe('awaiting_approval');
    expect(await statusOf(risky({ permission: 'deny' }), {}, context)).toBe('declined');
    expect(await statusOf(risky(), {}, { rememberedTools: [{ name: 'other' }] })).toBe(
      'awaiting_approval',
    );
  });

  it('checks arguments before anybody is asked', async () => {
    const { calls } = engine({ tools: [risky()] });
    const { response } = await calls.create('risky', { unknown: 1 });
    expect(response).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
  });
});

describe('PermissionRules', () => {
  it('takes no sign but the star for a pattern, and survives odd ones', () => {
    const rules = new PermissionRules([
      { permissions: { 'a.c': 'deny', '***': 'ask', '(': 'deny' } },
    ]);
    expect(rules.of(tool('abc', () => 1))).toEqual(['ask']);
  });
});
