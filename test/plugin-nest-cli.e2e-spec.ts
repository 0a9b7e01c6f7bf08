import type { Type } from '@nestjs/common';
import { NestProject } from './plugin/nest-project';
import { ToolApplication } from './support/tool-application';

let project: NestProject;
beforeEach(() => {
  project = new NestProject();
});
afterEach(() => project.remove());

describe('a resource that the Nest CLI generates', () => {
  it('has a service whose methods become tools with nothing but @Tool()', async () => {
    await project.nest(
      ...'generate resource orders --type rest --crud --no-spec --skip-import'.split(' '),
    );
    const service = 'src/orders/orders.service.ts';
    project.edit(service, (text) => {
      const withTools = text.replace(/^ {2}(?=\w+\(.*\) \{$)/gm, '  @Tool()\n  ');
      return `import { Tool } from 'nestjs-agent';\n${withTools}`;
    });
    // It is generated without properties.
    project.edit('src/orders/dto/create-order.dto.ts', (text) =>
      text.replace(
        '{}',
        `{
  /** The number on the invoice. */
  number: string;
  count?: number;
  urgency: 'low' | 'high' = 'low';
}`,
      ),
    );
    await project.nest('build');
    const { OrdersService } = project.load<{ OrdersService: Type<object> }>(
      'orders/orders.service.js',
    );
    const application = await ToolApplication.boot({ providers: [OrdersService] });
    const inputOf = (name: string) => application.tool(name).definition.input_schema;
    expect(application.names).toEqual(['create', 'findAll', 'findOne', 'update', 'remove']);
    const properties = {
      number: { type: 'string', description: 'The number on the invoice.' },
      count: { type: 'number' },
      urgency: { type: 'string', enum: ['low', 'high'], default: 'low' },
    };
    expect(inputOf('create').properties?.createOrderDto).toMatchObject({
      properties,
      required: ['number'],
      additionalProperties: false,
    });
    const { updateOrderDto } = inputOf('update').properties ?? {};
    expect(updateOrderDto).toEqual({
      type: 'object',
      title: 'UpdateOrderDto',
      properties,
      additionalProperties: false,
    });
    const changed = { id: 7, updateOrderDto: { urgency: 'high' } };
    expect(await application.call('update', changed)).toBe('This action updates a #7 order');
    await expect(
      application.call('update', { id: 7, updateOrderDto: { urgency: 'none' } }),
    ).rejects.toThrow('/updateOrderDto/urgency');
    await application.close();
  });
});

const PATH = 'src/stock.service.ts';
const typed = (type: string) => `import { Tool } from 'nestjs-agent';
export class StockService {
  /** Counts. */
  @Tool() count(size: ${type}): string { return String(size); }
}
`;

describe('nest start --watch', () => {
  it('starts the application again with the schema of a changed type', async () => {
    project.write(PATH, typed('number'));
    project.write(
      'src/main.ts',
      `import { NestFactory } from '@nestjs/core';
import { AgentModule, ToolRegistry } from 'nestjs-agent';
import { StockService } from './stock.service';
async function main() {
  const app = await NestFactory.createApplicationContext(
    { module: class AppModule {}, imports: [AgentModule.forRoot({ path: false })], providers: [StockService] } as never,
    { logger: false },
  );
  console.log('schema ' + JSON.stringify(app.get(ToolRegistry).list()[0]?.input_schema));
  setInterval(() => undefined, 60_000);
}
void main();
`,
    );
    const watch = project.watch('start');
    const size = async () => {
      const line = (await watch.printed(/^schema /)).at(-1)!;
      const schema = JSON.parse(line.slice('schema '.length)) as {
        readonly properties?: Record<string, unknown>;
      };
      return schema.properties?.['size'];
    };
    expect(await size()).toEqual({ type: 'number' });
    project.write(PATH, typed("'small' | 'large'"));
    expect(await size()).toEqual({ type: 'string', enum: ['small', 'large'] });
    await watch.stop();
  });
});

describe('nest build --watch', () => {
  it('prints an error once when a parameter says nothing, until it is mended', async () => {
    project.write(PATH, typed('number'));
    const watch = project.watch();
    const errors = async () => {
      const printed = await watch.printed();
      return {
        lines: printed.filter((line) => line.includes('parameter "size" is of type any')),
        end: printed.at(-1),
      };
    };
    expect(await errors()).toEqual({ lines: [], end: expect.stringContaining('Found 0 errors') });
    project.write(PATH, typed('any'));
    expect(await errors()).toEqual({
      lines: [expect.stringMatching(/stock\.service\.ts.*TS910047/)],
      end: expect.stringContaining('Found 1 error.'),
    });
    project.write(PATH, typed('bigint'));
    expect(await errors()).toEqual({ lines: [], end: expect.stringContaining('Found 0 errors') });
    await watch.stop();
  });
});
