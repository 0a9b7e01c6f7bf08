import { ToolCallFactory, ToolRegistry } from 'nestjs-agent';
import type { CallOptions } from 'nestjs-agent/types';
import { startApp, type TestApp } from './start-app';

describe('the tools', () => {
  let test: TestApp;
  let calls: ToolCallFactory;
  beforeAll(async () => {
    test = await startApp();
    calls = test.app.get(ToolCallFactory);
  });
  afterAll(() => test.app.close());

  // #region call
  it('tell what a parcel costs', async () => {
    const { response } = await calls.create('shipping_cost', { grams: 200 });
    expect(response.status).toBe('pending');
    expect(await response.execute()).toMatchObject({ status: 'executed', result: 4.9 });
  });

  it('refuse a parcel without weight', async () => {
    const { response } = await calls.create('shipping_cost', { grams: 0 });
    expect(response).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_arguments', message: 'Invalid arguments: /grams: must be >= 1' },
    });
  });
  // #endregion call

  // #region route
  const as = (user: string): CallOptions => ({
    principal: user,
    request: { headers: { authorization: `Bearer ${user}` } },
  });

  it('show each user their own orders', async () => {
    const own = await calls.create('get_order', { id: 17 }, as('ada'));
    expect((await own.response.execute()).content).toBe('{"id":17,"status":"open"}');
    const other = await calls.create('get_order', { id: 17 }, as('grace'));
    expect(await other.response.execute()).toMatchObject({
      status: 'failed',
      error: { code: 'forbidden' },
    });
  });

  it('ask before they cancel', async () => {
    const asking = await calls.create('cancel_order', { id: 17 }, as('ada'));
    expect(asking.response.status).toBe('awaiting_approval');
    const approved = await calls.create(
      'cancel_order',
      { id: 17 },
      { ...as('ada'), approved: true },
    );
    expect((await approved.response.execute()).content).toBe('{"id":17,"status":"cancelled"}');
  });
  // #endregion route

  // #region registry
  it('are described to the model as we mean it', () => {
    const registry = test.app.get(ToolRegistry);
    expect(registry.list().map(({ name }) => name)).toEqual([
      'get_order',
      'cancel_order',
      'shipping_cost',
    ]);
    expect(registry.get('shipping_cost')?.input_schema).toMatchObject({
      properties: { grams: { type: 'number', minimum: 1 } },
      required: ['grams'],
    });
  });
  // #endregion registry
});
