import { engine, silenceLog, tool, type EngineOptions } from '../fixtures/engine';

beforeAll(silenceLog);

const invoice = () =>
  tool('invoice', ({ amount, tenant }) => `${String(amount)} for ${String(tenant)}`, {
    input: {
      type: 'object',
      properties: { amount: { type: 'number' }, tenant: { type: 'string' } },
      required: ['amount', 'tenant'],
    },
    examples: [{ input: { amount: 1, tenant: 'example' } }],
  });
const presets: EngineOptions['presets'] = {
  invoice: { tenant: ({ principal }) => `tenant of ${principal}` },
};

describe('presets of a tool that comes with one call', () => {
  const context = { tools: [invoice()], principal: 'alice' };

  it('hide the argument, in lists and in what the model is sent', async () => {
    const { catalog } = engine({ presets });
    for (const tools of [await catalog.offered(context), await catalog.forModel(context, [])]) {
      expect(tools.map(({ definition }) => definition.input_schema)).toEqual([
        expect.objectContaining({
          properties: { amount: { type: 'number' } },
          required: ['amount'],
        }),
      ]);
      expect(tools[0]?.example?.input).toEqual({ amount: 1 });
    }
  });

  it('fill it, and take no value from the model', async () => {
    const { calls } = engine({ presets });
    const call = await calls.create('invoice', { amount: 2 }, context);
    expect((await call.response.execute()).content).toBe('2 for tenant of alice');
    const forged = await calls.create('invoice', { amount: 2, tenant: 'mine' }, context);
    expect(forged.response).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_arguments' },
    });
  });

  it('are no reason to take the tool for another one', () => {
    const { catalog } = engine({ presets });
    expect(catalog.find('invoice', context)).toBe(catalog.find('invoice', context));
  });

  it('are refused where they name no argument of it', async () => {
    const { calls, catalog } = engine({ presets: { invoice: { account: 'x' } } });
    expect(() => catalog.assertTools(context.tools)).toThrow(
      'run-time tool "invoice": "presets" names "account"',
    );
    const { response } = await calls.create('invoice', { amount: 2 }, context);
    expect(response).toMatchObject({ status: 'failed', error: { code: 'invalid_tool' } });
  });
});
