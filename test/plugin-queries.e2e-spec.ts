import type { Type } from '@nestjs/common';
import type { JsonObject } from 'nestjs-agent/types';
import { Project } from './plugin/project';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';
import { ToolApplication } from './support/tool-application';

const FILES = {
  'src/queries.controller.ts': `import { Controller, Get, Headers, Query } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
interface Parsed { [key: string]: undefined | string | string[] | Parsed | Parsed[] }
type Kind = { kind: 'a'; name: string } | { kind: 'b'; size?: number };
interface Named { name: string; [key: string]: string }
@Controller('queries')
export class QueriesController {
  @Tool() @Get('any') any(@Query() query: any): unknown { return query; }
  @Tool() @Get('parsed') parsed(@Query() query: Parsed): unknown { return query; }
  @Tool() @Get('texts') texts(@Query() query: Record<string, string>): unknown { return query; }
  @Tool() @Get('lists') lists(@Query() query: Record<string, string | string[]>): unknown { return query; }
  @Tool() @Get('named') named(@Query() query: Named): unknown { return query; }
  @Tool() @Get('union') union(@Query() query: Kind): unknown { return query; }
  @Tool() @Get('either') either(
    @Query('ids') ids: string | string[],
    @Query('sort') sort?: 'name' | 'age' | ('name' | 'age')[],
    @Headers('x-note') note?: string | string[],
  ): unknown { return { ids, sort, note }; }
}`,
};

describe('a whole query that is typed', () => {
  const project = new Project(FILES);
  let application: ToolApplication;
  let address: string;
  beforeAll(async () => {
    expect(project.withTsc()).toEqual([]);
    const { QueriesController } = project.load<{ QueriesController: Type<object> }>(
      'tsc/queries.controller.js',
    );
    application = await ToolApplication.boot({ controllers: [QueriesController] });
    await application.app.listen(0, '127.0.0.1');
    address = await application.app.getUrl();
  });
  afterAll(async () => {
    await application.close();
    project.remove();
  });

  const requested = async (path: string): Promise<unknown> =>
    (await fetch(`${address}/queries/${path}`)).json();

  it.each(['any', 'parsed', 'texts', 'lists'])(
    'may be left out if it has no required field: %s',
    async (name) => {
      expect(await application.call(`queries_${name}`)).toEqual(await requested(name));
    },
  );

  it.each(['named', 'union'])('is required if it has a required field: %s', (name) => {
    const { required } = application.tool(`queries_${name}`).definition.input_schema;
    expect(required).toEqual(['query']);
  });

  it.each<[string, JsonObject, string]>([
    ['texts', { page: 2, deep: true }, 'page=2&deep=true'],
    ['lists', { ids: ['a', 'b'], page: 2 }, 'ids=a&ids=b&page=2'],
    ['named', { name: 7, page: 2 }, 'name=7&page=2'],
    ['union', { kind: 'b', size: 2 }, 'kind=b&size=2'],
  ])('gets numbers as the request has them, as text: %s', async (name, query, text) => {
    expect(await application.call(`queries_${name}`, { query })).toEqual(
      await requested(`${name}?${text}`),
    );
  });

  it('refuses a number that has lost digits, whose text would be another one', async () => {
    const query = { id: 12345678901234567000 };
    await expect(application.call('queries_texts', { query })).rejects.toThrow('/query/id');
  });
});

describe.each<AdapterName>(['express', 'fastify'])(
  'a text or a list of texts, on %s',
  (adapter) => {
    const project = new Project(FILES);
    let tools: RouteToolApplication;
    let address: string;
    beforeAll(async () => {
      expect(project.withTsc()).toEqual([]);
      const { QueriesController } = project.load<{ QueriesController: Type<object> }>(
        'tsc/queries.controller.js',
      );
      tools = await RouteToolApplication.start({ adapter, controllers: [QueriesController] });
      await tools.app.listen(0, '127.0.0.1');
      address = await tools.app.getUrl();
    });
    afterAll(async () => {
      await tools.close();
      project.remove();
    });

    it('is told as both of a query, and as text of a header', () => {
      const list = (items: object) => ({ type: 'array', items });
      const column = { type: 'string', enum: ['name', 'age'] };
      expect(tools.definition('queries_either').input_schema).toMatchObject({
        properties: {
          ids: { anyOf: [{ type: 'string' }, list({ type: 'string' })] },
          sort: { anyOf: [column, list(column)] },
          'x-note': { type: 'string' },
        },
        required: ['ids'],
      });
    });

    it.each<[JsonObject, string]>([
      [{ ids: 'a' }, 'ids=a'],
      [{ ids: ['a', 'b'], sort: 'age' }, 'ids=a&ids=b&sort=age'],
      [{ ids: ['a'], sort: ['age', 'name'] }, 'ids=a&sort=age&sort=name'],
      [{ ids: [1, 2] }, 'ids=1&ids=2'],
      [{ ids: 7 }, 'ids=7'],
    ])('arrives as the request has it: %j', async (input, query) => {
      const response = await fetch(`${address}/queries/either?${query}`);
      expect(await tools.result('queries_either', input)).toEqual(await response.json());
    });
  },
);
