import type { Type } from '@nestjs/common';
import { before as swaggerBefore, ReadonlyVisitor as SwaggerVisitor } from '@nestjs/swagger/plugin';
import { before, type MetadataVisitor } from 'nestjs-agent/plugin';
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

/** How the next build of a project begins. */
const WAYS = [
  ['goes on', (watch: Watch) => watch],
  ['is resumed by another process', (_: Watch, project: Project) => new Watch(project, true)],
] as const;

describe('an incremental build', () => {
  const kindOf = (last: string) => ({ 'src/kind.ts': `export type Kind = 'a' | '${last}';` });

  it.each(WAYS)('emits what rests on a changed type, and nothing else, where it %s', (_, next) => {
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

  it.each(WAYS)(
    'reports a type that says nothing once, until it is mended, where it %s',
    (_, next) => {
      const project = new Project(FILES);
      let watch = new Watch(project, true);
      const errorsAfter = (files: Readonly<Record<string, string>>) => {
        project.write(files);
        watch = next(watch, project);
        return watch.build().errors;
      };
      const problem = [expect.stringContaining('parameter "order.kind" is of type any')];
      expect(errorsAfter({})).toEqual([]);
      expect(errorsAfter({ 'src/kind.ts': 'export type Kind = any;' })).toEqual(problem);
      expect(errorsAfter({ 'src/other.tools.ts': `${FILES['src/other.tools.ts']}\n` })).toEqual(
        problem,
      );
      // Another process, and nothing has changed.
      expect(new Watch(project, true).build().errors).toEqual(problem);
      // The tool's own file is compiled again, the type's is not.
      expect(errorsAfter({ 'src/order.tools.ts': `${FILES['src/order.tools.ts']}\n` })).toEqual(
        problem,
      );
      // Mended in a file between them.
      expect(
        errorsAfter({ 'src/order.ts': 'export interface Order { kind: string; lines: number }' }),
      ).toEqual([]);
      project.remove();
    },
  );

  it('emits the code of what rests on a changed type, where declarations come first', () => {
    const project = new Project(FILES, { declaration: true });
    const watch = new Watch(project);
    expect(watch.build().errors).toEqual([]);
    project.write({ 'src/kind.ts': `export type Kind = 'a' | 'c';` });
    expect(watch.build(true).written).toEqual(['kind.js', 'order.js', 'order.tools.js']);
    expect(ts.sys.readFile(`${project.folder}/tsc/order.tools.js`)).toContain('"enum":["a","c"]');
    project.remove();
  });
});

const ORDER_FILES = {
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

function expectOrder(application: ToolApplication): void {
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
}

describe('a build with the plugin of swagger', () => {
  it.each([
    ['after it', [SWAGGER, AGENT]],
    ['before it', [AGENT, SWAGGER]],
  ] as const)('says the same %s', async (_, hooks) => {
    const project = new Project(ORDER_FILES);
    expect(project.withTsc(hooks)).toEqual([]);
    const { OrderController } = project.load<{ OrderController: Type<unknown> }>(
      'tsc/order.controller.js',
    );
    const { OrderDto } = project.load<{ OrderDto: object }>('tsc/order.dto.js');
    expect(Object.getOwnPropertyNames(OrderDto)).toEqual(
      expect.arrayContaining(['_OPENAPI_METADATA_FACTORY', '_NESTJS_AGENT_METADATA']),
    );
    const application = await ToolApplication.boot({ providers: [OrderController] });
    expectOrder(application);
    await application.close();
    project.remove();
  });
});

describe('the file of metadata', () => {
  const files = ORDER_FILES;

  it.each([
    ['with endings for the modules of Node', ts.ModuleKind.NodeNext, true],
    ['without endings for others', ts.ModuleKind.CommonJS, false],
  ] as const)('is found by the type check of the next build, %s', (_, module, hasEndings) => {
    const project = new Project(files, { module });
    project.withSwc();
    const metadata = ts.sys.readFile(`${project.folder}/src/metadata.ts`) ?? '';
    expect(metadata.includes('import("./order.controller.js")')).toBe(hasEndings);
    expect(metadata.includes('await import("./order.dto.js")')).toBe(hasEndings);
    const checked = new Project({ ...files, 'src/metadata.ts': metadata }, { module });
    expect(checked.withTsc()).toEqual([]);
    checked.remove();
    project.remove();
  });

  it.each([
    ['after', (own: MetadataVisitor, other: MetadataVisitor) => [other, own]],
    ['before', (own: MetadataVisitor, other: MetadataVisitor) => [own, other]],
  ] as const)("holds what swagger's visitor says too, ours %s it", async (_, order) => {
    const project = new Project(files);
    project.withSwc((own, folder) =>
      order(own, new SwaggerVisitor({ introspectComments: true, pathToSource: folder })),
    );
    const { OrderController } = project.load<{ OrderController: Type<unknown> }>(
      'swc/order.controller.js',
    );
    const metadata = project.metadata();
    const { '@nestjs/swagger': said } = (await metadata()) as Record<string, unknown>;
    expect(said).toMatchObject({
      models: [[expect.anything(), { OrderDto: { kind: { required: true } } }]],
    });
    const application = await ToolApplication.boot({ providers: [OrderController] }, { metadata });
    expectOrder(application);
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
    expect(code).toContain('"$of": agentTypes_1.OrderDto');
    project.remove();
  });
});
