import { Controller, Delete, Get, ParseArrayPipe, type PipeTransform, Query } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsString } from 'class-validator';
import { Tool, ToolField, ToolParam } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { parse } from 'qs';
import { RouteToolApplication } from './route-tools/route-tool-application';

type Selection = Record<string, unknown> | string;

class Filter {
  @IsString()
  title!: string;

  @ToolField({ sensitive: true })
  @IsString()
  token!: string;
}

class JsonPipe implements PipeTransform {
  transform(value: unknown): unknown {
    return typeof value === 'string' ? JSON.parse(value) : value;
  }
}

@Controller('things')
class ThingsController {
  @Tool({ name: 'count', description: 'Counts ids' })
  @Get('count')
  count(@Query('ids') ids: string[] = []) {
    return { count: Array.isArray(ids) ? ids.length : typeof ids };
  }

  @Tool({ name: 'filter', description: 'Shows its query' })
  @Get('filter')
  filter(@Query() query: Record<string, unknown>) {
    return query;
  }

  @Tool({ name: 'select', description: 'Shows a part of its query' })
  @Get('select')
  select(@Query('where') where: Selection, @Query('sort') sort: string) {
    return { where, sort };
  }

  @Tool({ name: 'search', description: 'Shows an object of its query' })
  @Get('search')
  search(@Query('filter', JsonPipe) filter: Filter) {
    return filter;
  }

  @Tool({ name: 'search_any', description: 'Shows a list of objects of its query' })
  @Get('search-any')
  searchAny(@Query('filters', JsonPipe) @ToolParam({ type: [Filter] }) filters: Filter[]) {
    return filters;
  }

  @Tool({ name: 'search_each', description: 'Shows objects that are parsed one by one' })
  @Get('search-each')
  searchEach(@Query('filters', new ParseArrayPipe({ items: Filter })) filters: Filter[]) {
    return filters;
  }

  @Tool({ name: 'remove', description: 'Removes things, all of them without ids' })
  @Delete()
  remove(@Query('ids') ids?: string[]) {
    return ids ?? 'all';
  }
}

const numbered = (length: number) => Array.from({ length }, (_, id) => String(id));

const mapped = (members: object, by: (value: unknown) => string) =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [key, by(value)]));

describe.each([
  ['express', 'simple', 1_000],
  ['express', 'extended', 20],
  ['fastify', '', 1_500],
  ['fastify', 'extended', 20],
] as const)('a query on %s %s', (adapter, parser, most) => {
  let tools: RouteToolApplication;

  beforeAll(async () => {
    tools = await RouteToolApplication.start({
      adapter,
      controllers: [ThingsController],
      ...(adapter === 'express'
        ? { configure: (app) => (app as NestExpressApplication).set('query parser', parser) }
        : parser === 'extended' && { querystringParser: (query) => parse(query) }),
    });
  });
  afterAll(() => tools.close());

  const errorOf = async (name: string, input: JsonObject) => (await tools.call(name, input)).error;

  it(`has lists of up to ${most} values, and never a part of one`, async () => {
    expect(await tools.result('count', { ids: numbered(most) })).toEqual({ count: most });
    if (parser === '') return;
    expect(await errorOf('count', { ids: numbered(most + 1) })).toEqual({
      code: 'invalid_arguments',
      message:
        'Invalid arguments: /ids: cannot be sent: the application reads a query of this length or depth otherwise; give fewer values',
    });
  });

  it('has the object that a pipe reads from JSON, with what its class says', async () => {
    const filter = { title: 'a', token: 's' };
    expect(await tools.result('search', { filter })).toEqual(filter);
    expect(tools.definition('search').input_schema.properties).toMatchObject({
      filter: { properties: { title: { type: 'string' }, token: { writeOnly: true } } },
    });
  });

  it.each(['search_any', 'search_each'])(
    'has a list of objects that a pipe reads: %s',
    async (name) => {
      const filters = [
        { title: 'a', token: 's' },
        { title: 'b', token: 't' },
      ];
      expect(await tools.result(name, { filters })).toEqual(filters);
    },
  );

  it('has a list of one object that a pipe reads from JSON', async () => {
    const filters = [{ title: 'a', token: 's' }];
    expect(await tools.result('search_any', { filters })).toEqual(filters);
  });

  it('has JSON beside JSON where the parser knows no brackets', async () => {
    const query = { where: { a: { b: '1' } }, order: [{ by: 'a' }, { by: 'b' }] };
    const read = parser === 'extended' ? query : mapped(query, JSON.stringify);
    expect(await tools.result('filter', { query })).toEqual(read);
  });

  it('is not sent with an empty list to a write: without the list, it may mean all', async () => {
    expect(await tools.result('count', { ids: [] })).toEqual({ count: 0 });
    expect(await errorOf('remove', { ids: [] })).toEqual({
      code: 'invalid_arguments',
      message:
        'Invalid arguments: /ids: must not be empty: a query cannot carry it, so leave it out if nothing is meant',
    });
    expect(await tools.result('remove', { ids: ['7', '8'] })).toEqual(['7', '8']);
    expect(await tools.result('remove')).toBe('all');
  });

  it('has a value of unknown type as text', async () => {
    expect(await tools.result('select', { where: 'a', sort: 'up' })).toEqual({
      where: 'a',
      sort: 'up',
    });
    expect(await tools.result('select', { where: 17 })).toEqual({ where: '17' });
    expect(await errorOf('select', { sort: { a: 'b' } })).toMatchObject({
      code: 'invalid_arguments',
    });
    if (parser === 'extended') return;
    expect(await errorOf('select', { where: { a: 'b' } })).toMatchObject({
      code: 'invalid_arguments',
    });
  });

  if (parser !== 'extended') return;

  it('has a value of unknown type as an object', async () => {
    const where = { a: 'b', c: { in: ['d', 'e'] } };
    expect(await tools.result('select', { where })).toEqual({ where });
  });

  it.each([
    ['of another depth', { where: { 'a][b': '1' } }],
    ['too deep', { where: { a: { b: { c: { d: { e: { f: { g: '1' } } } } } } } }],
    ['without its empty name', { where: { '': 'x', a: 'y' } }],
  ])('is not sent where it would be read %s', async (_, query) => {
    expect(await errorOf('filter', { query })).toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('/query/where: cannot be sent'),
    });
  });

  it('is nested as it is given', async () => {
    const query = { where: { a: { b: ['1', '2'] }, c: ['3'], d: {} }, sort: 'up' };
    expect(await tools.result('filter', { query })).toEqual({
      where: { a: { b: ['1', '2'] }, c: ['3'] },
      sort: 'up',
    });
  });
});
