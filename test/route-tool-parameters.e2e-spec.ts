import { ValidationPipe } from '@nestjs/common';
import { ToolCallFactory } from 'nestjs-agent';
import { ParametersController } from './route-tools/parameters.controller';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

describe.each<AdapterName>(['express', 'fastify'])('arguments of route tools on %s', (adapter) => {
  let tools: RouteToolApplication;

  beforeAll(async () => {
    tools = await RouteToolApplication.start({
      adapter,
      controllers: [ParametersController],
      configure: (app) => app.useGlobalPipes(new ValidationPipe({ transform: true })),
    });
  });

  afterAll(() => tools.close());

  it('are what pipes take where swagger says otherwise', async () => {
    const properties = (name: string) => tools.definition(name).input_schema.properties;
    expect(properties('parameters_several')).toEqual({
      ids: { type: 'array', items: { type: 'number' } },
      tags: { type: 'array', items: { type: 'string' } },
    });
    expect(properties('parameters_documented_otherwise')).toEqual({
      id: { type: 'integer', description: 'Its number' },
    });
    expect(await tools.result('parameters_documented_otherwise', { id: 1 })).toEqual({ id: 1 });
  });

  it('are lists in a path, separated as their pipe reads them', async () => {
    const input = { ids: [1, 2], tags: ['a,b', 'c'] };
    expect(await tools.result('parameters_several', input)).toEqual(input);
    const { error } = await tools.call('parameters_several', { ...input, tags: ['a', 'b;c'] });
    expect(error?.message).toBe(
      'Invalid arguments: /tags/1: must not contain ";", which separates the members of the list',
    );
  });

  it('are flat, typed by pipes, and reach path, query and headers', async () => {
    expect(tools.definition('parameters_mixed').input_schema).toEqual({
      type: 'object',
      title: 'parameters_mixed',
      properties: {
        id: { type: 'integer' },
        part: { type: 'string' },
        limit: { type: 'integer', default: 10 },
        active: { type: 'boolean' },
        colour: { type: 'string', enum: ['red', 'blue'] },
        tags: { type: 'array', items: { type: 'string' } },
        'x-tenant': { type: 'string' },
      },
      required: ['id', 'part'],
      additionalProperties: false,
    });
    const input = {
      id: 7,
      part: 'a b',
      limit: 3,
      active: false,
      colour: 'blue',
      tags: ['x', 'y&z'],
      'x-tenant': 'acme',
    };
    const { 'x-tenant': tenant, ...rest } = input;
    expect(await tools.result('parameters_mixed', input)).toEqual({ ...rest, tenant });
    expect(await tools.result('parameters_mixed', { id: 7, part: 'p' })).toEqual({
      id: 7,
      part: 'p',
      limit: 10,
    });
  });

  it('have the precondition that a handler of a write reads', async () => {
    const { properties, required } = tools.definition('parameters_change').input_schema;
    expect(properties).toMatchObject({ 'if-match': { description: 'The version, in quotes' } });
    expect(required).toEqual(['id', 'if-match']);
    const input = { id: 'a', 'if-match': '"3"' };
    expect(await tools.result('parameters_change', input)).toEqual({ id: 'a', version: '"3"' });
  });

  it('are never another id: a number that JSON has rounded is no text', async () => {
    const { response } = await tools.app
      .get(ToolCallFactory)
      .create('parameters_remove', '{"id":1234567890123456789}');
    expect(response).toMatchObject({
      status: 'failed',
      error: { message: 'Invalid arguments: /id: must be string' },
    });
    expect(await tools.result('parameters_remove', { id: Number.MAX_SAFE_INTEGER })).toEqual({
      removed: '9007199254740991',
    });
  });

  it('of a query DTO are its properties', async () => {
    expect(tools.definition('parameters_page').input_schema.properties).toMatchObject({
      page: { default: 1, minimum: 1 },
      search: { type: 'string' },
    });
    expect(await tools.result('parameters_page', { page: 2, search: 'ä?&=' })).toEqual({
      page: 2,
      search: 'ä?&=',
    });
    expect(await tools.result('parameters_page')).toEqual({ page: 1 });
  });

  it('may be lists in the query, of one element too', async () => {
    expect(await tools.result('parameters_list', { ids: [1, 2] })).toEqual({ ids: [1, 2] });
    expect(await tools.result('parameters_list', { ids: [1] })).toEqual({ ids: [1] });
  });

  it('may be one text of a list in a query DTO, as its documentation says', async () => {
    const input = { tags: ['a', 'b'] };
    expect(await tools.result('parameters_tagged', input)).toEqual(input);
  });

  it('are refused by their schema before any request', async () => {
    expect((await tools.call('parameters_uuid', { id: 'no-uuid' })).error).toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('/id'),
    });
    expect(
      (await tools.call('parameters_mixed', { id: 7, part: 'p', extra: 1 })).error,
    ).toMatchObject({ code: 'invalid_arguments', message: expect.stringContaining('extra') });
  });

  it('of a query that are no number say that they must be one', async () => {
    for (const page of ['many', '', true]) {
      expect((await tools.call('parameters_page', { page })).error).toEqual({
        code: 'invalid_arguments',
        message: 'Invalid arguments: /page: must be a whole number',
      });
    }
  });

  it('of a body DTO are its fields', async () => {
    const order = { customer: 'Ada', lines: [{ sku: 'a', count: 2 }] };
    expect(tools.definition('parameters_create').input_schema).toMatchObject({
      required: ['customer', 'lines'],
      additionalProperties: false,
    });
    expect(await tools.result('parameters_create', order)).toEqual(order);
  });

  it('stand under body where a field of it clashes', async () => {
    expect(tools.definition('parameters_replace').input_schema).toMatchObject({
      properties: {
        id: { type: 'string' },
        body: { type: 'object', required: ['id', 'title'], additionalProperties: false },
      },
      required: ['id', 'body'],
    });
    const input = { id: '1', body: { id: '2', title: 't' } };
    expect(await tools.result('parameters_replace', input)).toEqual(input);
  });

  it('send an object where a declared body is left out, as its fields would', async () => {
    expect(tools.definition('parameters_replace_some').input_schema.required).toEqual(['id']);
    expect(await tools.result('parameters_replace_some', { id: '1' })).toEqual({
      id: '1',
      body: {},
      type: 'application/json',
    });
  });

  it('send nothing where a body that nobody declared is left out', async () => {
    const { properties, required } = tools.definition('parameters_replace_any').input_schema;
    expect([Object.keys(properties ?? {}), required]).toEqual([['id', 'body'], ['id']]);
    const sent = await tools.result('parameters_replace_any', { id: '1' });
    expect(sent).toEqual({ id: '1', type: 'none' });
  });

  it('may be single fields of a body', async () => {
    expect(await tools.result('parameters_patch', { id: '1', title: 't', note: 'n' })).toEqual({
      id: '1',
      title: 't',
      note: 'n',
    });
  });

  it('stand under body where it is a list or any object', async () => {
    const lines = [{ sku: 'a', count: 1 }];
    expect(await tools.result('parameters_many', { body: lines })).toEqual({ lines });
    expect(await tools.result('parameters_free', { body: { any: [1] } })).toEqual({
      body: { any: [1] },
    });
  });

  it('are every parameter of the path, however the method reads it', async () => {
    expect(await tools.result('parameters_whole_params', { a: 'x/y', b: '?' })).toEqual({
      a: 'x/y',
      b: '?',
    });
  });

  it('are nothing that the application or the caller fills', () => {
    expect(tools.definition('parameters_injected').input_schema.properties).toEqual({});
  });

  it('take over what @nestjs/swagger was told', async () => {
    const { description, input_schema } = tools.definition('parameters_documented');
    expect(description).toBe('Documented elsewhere');
    expect(input_schema.properties).toMatchObject({
      id: { type: 'string', description: 'The id', examples: ['a-1'] },
      from: { type: 'string', format: 'date', description: 'First day' },
      kinds: { type: 'array', items: { enum: ['red', 'blue'] } },
      'x-flavour': { description: 'Its flavour', enum: ['sweet', 'sour'] },
    });
    expect(input_schema.required).toEqual(['id', 'from']);
    expect(
      await tools.result('parameters_documented', {
        id: '1',
        from: '2026-01-31',
        kinds: ['red', 'blue'],
        'x-flavour': 'sour',
      }),
    ).toEqual({
      id: '1',
      from: '2026-01-31',
      query: { from: '2026-01-31', kinds: ['red', 'blue'] },
      flavour: 'sour',
    });
    const line = { sku: 's', count: 1 };
    expect(await tools.result('parameters_documented_body', line)).toEqual({ line });
  });

  it('take over what @ToolParam says', () => {
    expect(tools.definition('parameters_hinted').input_schema).toMatchObject({
      properties: { q: { enum: ['a', 'b'], description: 'What to look for' } },
      required: ['q'],
    });
  });

  it('may be declared by the tool itself', async () => {
    expect(await tools.result('parameters_own', { id: 'i', size: 3 })).toEqual({
      params: { id: 'i' },
      query: { size: '3' },
    });
  });

  it('make a request of the route’s method', async () => {
    expect(await tools.result('parameters_any')).toEqual({ method: 'PUT' });
    expect(await tools.result('parameters_remove', { id: '9' })).toEqual({ removed: '9' });
    expect(await tools.result('parameters_head')).toMatchObject({ status: 200 });
  });
});
