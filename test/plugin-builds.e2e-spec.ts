import type { Type } from '@nestjs/common';
import { before as swaggerBefore } from '@nestjs/swagger/plugin';
import { before } from 'nestjs-agent/plugin';
import ts from 'typescript';
import { AGENT, type BeforeHook, Project } from './plugin/project';
import { Watch } from './plugin/watch';
import { ToolApplication } from './support/tool-application';

const SWAGGER: BeforeHook = (program) =>
  swaggerBefore({ introspectComments: true }, program) as ts.TransformerFactory<ts.SourceFile>;

const FILES = {
  'src/kind.ts': `export type Kind = 'a' | 'b';`,
  'src/order.ts': `import type { Kind } from './kind';
export interface Order { kind: Kind; lines: number }`,
  'src/order.tools.ts': `import { Tool } from 'nestjs-agent';
import type { Order } from './order';
export class OrderTools {
  /** Places an order. */ @Tool() place(order: Order): string { return order.kind; }
}`,
  'src/other.tools.ts': `import { Tool } from 'nestjs-agent';
export class OtherTools {
  /** Adds. */ @Tool() add(a: number): number { return a; }
}`,
};

describe('an incremental build', () => {
  const kindOf = (last: string) => ({ 'src/kind.ts': `export type Kind = 'a' | '${last}';` });

  it.each([
    ['goes on', (watch: Watch) => watch],
    ['is resumed by another process', (_: Watch, project: Project) => new Watch(project, true)],
  ] as const)('emits what rests on a changed type, and nothing else, where it %s', (_, next) => {
    const project = new Project(FILES);
    let watch = new Watch(project, true);
    expect(watch.build().written).toHaveLength(4);
    expect(watch.build().written).toEqual([]);
    // The first time, TypeScript does not know yet that the shape of order.ts stays the same.
    for (const last of ['c', 'd', 'e']) {
      watch = next(watch, project);
      project.write(kindOf(last));
      expect(watch.build().written).toEqual(['kind.js', 'order.js', 'order.tools.js']);
      const emitted = ts.sys.readFile(`${project.folder}/tsc/order.tools.js`);
      expect(emitted).toContain(`"enum":["a","${last}"]`);
    }
    project.remove();
  });

  it('reports a type that has become one that says nothing', () => {
    const project = new Project(FILES);
    const watch = new Watch(project);
    expect(watch.build().errors).toEqual([]);
    project.write({ 'src/kind.ts': 'export type Kind = any;' });
    expect(watch.build().errors).toEqual([
      expect.stringContaining('OrderTools.place: parameter "order.kind" is of type any'),
    ]);
    project.remove();
  });
});

describe('a build with the plugin of swagger', () => {
  const files = {
    'src/order.dto.ts': `/** An order. */
export class OrderDto {
  /** The number. */
  number!: string;
  kind!: 'a' | 'b';
  count = 1;
  at?: Date;
}`,
    'src/order.controller.ts': `import { Tool } from 'nestjs-agent';
import { OrderDto } from './order.dto';
export class OrderController {
  /** Places an order. */
  @Tool() place(order: OrderDto, many: OrderDto[] = []): OrderDto { return many[0] ?? order; }
}`,
  };

  it.each([
    ['after it', [SWAGGER, AGENT]],
    ['before it', [AGENT, SWAGGER]],
  ] as const)('says the same %s', async (_, hooks) => {
    const project = new Project(files);
    expect(project.withTsc(hooks)).toEqual([]);
    const { OrderController } = project.load<{ OrderController: Type<unknown> }>(
      'tsc/order.controller.js',
    );
    const { OrderDto } = project.load<{ OrderDto: object }>('tsc/order.dto.js');
    expect(Object.getOwnPropertyNames(OrderDto)).toEqual(
      expect.arrayContaining(['_OPENAPI_METADATA_FACTORY', '_NESTJS_AGENT_METADATA']),
    );
    const application = await ToolApplication.boot({ providers: [OrderController] });
    const { properties } = application.tool('place').definition.input_schema;
    expect(properties?.order).toMatchObject({
      properties: {
        number: { type: 'string', description: 'The number.' },
        kind: { enum: ['a', 'b'] },
        count: { type: 'number', default: 1 },
      },
      required: ['number', 'kind'],
    });
    expect(properties?.many?.items).toEqual(properties?.order);
    await application.close();
    project.remove();
  });
});

describe('ES modules', () => {
  it('import the classes that types name', () => {
    const project = new Project({
      'src/order.dto.ts': 'export class OrderDto { number!: string }',
      'src/order.tools.ts': `import { Tool } from 'nestjs-agent';
import type { OrderDto } from './order.dto.js';
export class OrderTools { /** Lists. */ @Tool() list(orders: OrderDto[]): number { return orders.length; } }`,
    });
    const program = ts.createProgram(project.paths, {
      ...project.options,
      module: ts.ModuleKind.ES2022,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    });
    const hook = before({}, program);
    let code = '';
    program.emit(
      program.getSourceFile(`${project.folder}/src/order.tools.ts`),
      (_, text) => (code += text),
      undefined,
      false,
      { before: [hook] },
    );
    expect(code).toMatch(/^import \* as (agentTypes_1) from "\.\/order\.dto\.js";/m);
    expect(code).toContain('() => agentTypes_1.OrderDto');
    project.remove();
  });
});
