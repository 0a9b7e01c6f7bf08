import { ValidationPipe } from '@nestjs/common';
import { ApplicationShapesController } from './route-tools/application-shapes.controller';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';
import { ZodValidationPipe } from './route-tools/zod-dto';

const OPEN = { type: 'object', additionalProperties: true };

describe.each<AdapterName>(['express', 'fastify'])(
  'what applications declare of their requests, on %s',
  (adapter) => {
    let tools: RouteToolApplication;

    beforeAll(async () => {
      tools = await RouteToolApplication.start({
        adapter,
        controllers: [ApplicationShapesController],
        rawBody: true,
        configure: (app) =>
          app.useGlobalPipes(new ZodValidationPipe(), new ValidationPipe({ transform: true })),
      });
    });
    afterAll(() => tools.close());

    const schemaOf = (name: string) => tools.definition(name).input_schema;

    it('keeps a body of a class without decorators, beside what the path takes', async () => {
      expect(schemaOf('create_cat')).toMatchObject({
        properties: { shelter: { type: 'string' }, body: OPEN },
        required: ['shelter', 'body'],
        additionalProperties: false,
      });
      const body = { name: 'Tom', age: 3, shelter: 'his own' };
      expect(await tools.result('create_cat', { shelter: 'north', body })).toEqual({
        shelter: 'north',
        cat: body,
      });
    });

    it('lets input describe such a body', async () => {
      expect(schemaOf('describe_cat')).toMatchObject({
        properties: { shelter: { type: 'string' }, name: { type: 'string' } },
        required: ['shelter', 'name'],
      });
      expect(await tools.result('describe_cat', { shelter: 'north', name: 'Tom' })).toEqual({
        shelter: 'north',
        body: { name: 'Tom' },
      });
      expect(await tools.result('rename', { id: 7, name: 'Tom' })).toEqual({
        id: '7',
        body: { name: 'Tom' },
      });
    });

    it('lets input describe a body that a decorator of the application reads', async () => {
      expect(schemaOf('typed_order')).toMatchObject({
        properties: { customer: { type: 'string' }, name: { type: 'string' } },
        required: ['customer', 'name'],
      });
      expect(await tools.result('typed_order', { customer: 'ada', name: 'Tom' })).toEqual({
        customer: 'ada',
        body: { name: 'Tom' },
      });
    });

    it('keeps a body together that a pipe takes as a whole or not at all', async () => {
      const { properties, required } = schemaOf('reserve_cat');
      expect(properties?.body).toMatchObject({ type: 'object', required: ['cat', 'fee'] });
      expect(required).toEqual(['house']);
      const body = { cat: 'Tom', fee: 40 };
      const whole = await tools.result('reserve_cat', { house: 'north', body });
      expect(whole).toEqual({ house: 'north', adoption: body });
      const none = await tools.result('reserve_cat', { house: 'north' });
      expect(none).toEqual({ house: 'north', adoption: 'none' });
    });

    it('takes what is documented of a body for its fields that parameters read', async () => {
      expect(schemaOf('invite')).toMatchObject({
        properties: {
          email: { type: 'string', format: 'email', description: 'Of the guest' },
          roles: { type: 'array', items: { enum: ['admin', 'member'] } },
        },
        required: ['email'],
      });
      const email = 'ada@example.com';
      expect(await tools.result('invite', { email })).toEqual({ email, roles: 'none' });
      const roles = ['admin'];
      expect(await tools.result('invite', { email, roles })).toEqual({ email, roles });
    });

    it('demands fields of a body whose documentation does not say which are required', () => {
      expect(schemaOf('resize')).toMatchObject({
        properties: { rooms: { type: 'integer' } },
        required: ['rooms'],
      });
    });

    it('keeps a query of which nothing is known', async () => {
      expect(schemaOf('find_cats').properties).toMatchObject({ query: OPEN });
      expect(schemaOf('find_cats').required).toBeUndefined();
      expect(
        await tools.result('find_cats', { limit: '2', query: { breed: 'a&b', age: 3 } }),
      ).toEqual({ limit: '2', query: { limit: '2', breed: 'a&b', age: '3' } });
      expect(await tools.result('filter_cats', { query: { breed: 'x' } })).toEqual({ breed: 'x' });
      expect(await tools.result('filter_cats')).toEqual({});
    });

    it.each(['limit', 'limit[]', 'limit[a]'])(
      'takes no "%s" by way of an open query',
      async (key) => {
        const { error } = await tools.call('find_cats', { limit: '2', query: { [key]: '9' } });
        expect(error).toMatchObject({
          code: 'invalid_arguments',
          message: expect.stringContaining('is an argument of its own'),
        });
      },
    );

    it('keeps a body that is read through @Req()', async () => {
      expect(schemaOf('order')).toMatchObject({
        properties: { customer: { type: 'string' }, body: OPEN },
        required: ['customer'],
      });
      const body = { lines: [{ sku: 'a', count: 2 }] };
      expect(await tools.result('order', { customer: 'ann', body })).toEqual({
        params: { customer: 'ann' },
        body,
      });
      expect(schemaOf('documented_order').properties).toEqual({ name: { type: 'string' } });
      expect(await tools.result('documented_order', { name: 'Tom' })).toEqual({ name: 'Tom' });
    });

    it('keeps a body that is read through @RawBody()', async () => {
      expect(schemaOf('signed_order').properties).toMatchObject({ body: OPEN });
      expect(schemaOf('signed_order').required).toBeUndefined();
      expect(await tools.result('signed_order', { body: { name: 'Tom' } })).toEqual({
        type: 'application/json',
        raw: '{"name":"Tom"}',
      });
    });

    it('takes swagger’s explicit type for what goes over the wire', async () => {
      const { filters, sort, fields, page, tags } = schemaOf('list_users').properties ?? {};
      expect(filters).toEqual({
        type: 'string',
        description: 'JSON text of an object with roles (a list of objects with id)',
      });
      // The compiler emits no type for a list that may be null; the members' rules tell.
      expect(sort).toEqual({
        type: 'string',
        description: 'JSON text of a list of objects with orderBy, order',
      });
      expect(fields).toEqual({ type: 'string', description: 'Parted by commas' });
      expect(page).toEqual({ type: ['number', 'string'] });
      expect(tags).toEqual({ type: 'array', items: { type: 'string' }, maxItems: 3 });
      expect(
        await tools.result('list_users', {
          filters: '{"roles":[{"id":1}]}',
          sort: '[{"orderBy":"id","order":"asc"}]',
          fields: 'a,b',
          page: 2,
          tags: ['x', 'y'],
        }),
      ).toEqual({
        filters: { roles: [{ id: 1 }] },
        sort: [{ orderBy: 'id', order: 'asc' }],
        fields: ['a', 'b'],
        page: 2,
        tags: ['x', 'y'],
      });
    });

    it('takes a number or a boolean where the wire is text', async () => {
      expect(schemaOf('get_user').properties).toMatchObject({ id: { type: 'string' } });
      expect(await tools.result('get_user', { id: 17, code: 5.5, flag: true })).toEqual({
        id: '17',
        code: '5.5',
        flag: 'true',
      });
    });

    it('reads a zod DTO through its own schema', async () => {
      expect(schemaOf('add_todo')).toMatchObject({
        properties: {
          title: { type: 'string', minLength: 1, description: 'What is to be done' },
          due: { type: 'string', description: 'ISO 8601 date or date-time' },
          kind: { type: 'string', const: 'todo', default: 'todo' },
          meta: {
            type: 'object',
            properties: { colour: { type: 'string', description: 'Of the note' } },
            required: ['colour'],
          },
        },
        required: ['title'],
        additionalProperties: false,
      });
      expect(
        await tools.result('add_todo', { title: 'Knit', due: '2027-01-01T00:00:00Z' }),
      ).toEqual({ title: 'Knit', kind: 'todo', due: 2027 });
      expect(await tools.result('add_todo', { title: 'Knit', due: '2027-01-01' })).toEqual({
        ...{ title: 'Knit', kind: 'todo', due: 2027 },
      });
      expect((await tools.call('add_todo', { title: 'Knit', due: 'soon' })).error?.code).toBe(
        'invalid_arguments',
      );
      expect((await tools.call('add_todo', { title: '' })).error?.code).toBe('invalid_arguments');
    });

    it('reads a DTO whose schema refers to its own root', async () => {
      const planted = { name: 'oak', branches: [{ name: 'north', branches: [{ name: 'tip' }] }] };
      expect(await tools.result('plant', planted)).toEqual(planted);
      expect(await tools.result('plant_in', { garden: 'back', ...planted })).toEqual({
        garden: 'back',
        planted,
      });
      const { error } = await tools.call('plant', { name: 'oak', branches: [{ name: 1 }] });
      expect(error?.message).toContain('/branches/0/name: must be string');
    });

    it('reads the schema of a pipe for the whole body from the method’s @UsePipes()', async () => {
      expect(schemaOf('adopt_cat')).toMatchObject({
        properties: {
          house: { type: 'string' },
          cat: { type: 'string', minLength: 1 },
          fee: { type: 'integer', exclusiveMinimum: 0 },
        },
        required: ['house', 'cat', 'fee'],
        additionalProperties: false,
      });
      const adoption = { house: 'north', cat: 'Tom', fee: 30 };
      expect(await tools.result('adopt_cat', adoption)).toEqual(adoption);
    });

    it('offers a route whose documented answer is a zod DTO with dates', async () => {
      expect(tools.definition('finish_todo').output_schema).toMatchObject({
        properties: { at: { type: 'string', format: 'date-time' } },
      });
      expect(await tools.result('finish_todo')).toEqual({ at: '1970-01-01T00:00:00.000Z' });
    });
  },
);
