import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { before } from '../../src/plugin';
import { linesOf, type Measured, measuredByTurns } from '../support/by-turns';

const TOOLS = 100;
const TOOLS_PER_CLASS = 4;
const ROUNDS = 150;
const MOST = 0.1;

/** A service as applications have them: Nest's decorators, injected services, DTOs, some work. */
function files(folder: string): readonly string[] {
  const paths: string[] = [];
  const write = (name: string, text: string): void => {
    const path = join(folder, 'src', name);
    writeFileSync(path, text);
    paths.push(path);
  };
  for (let index = 0; index < TOOLS / TOOLS_PER_CLASS; index++) {
    write(`order-${index}.dto.ts`, dtoOf(index));
    write(`orders-${index}.service.ts`, serviceOf(index));
  }
  return paths;
}

function dtoOf(index: number): string {
  return `import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
export class Order${index}Dto {
  /** The number on the invoice. */
  @IsString() @MaxLength(40) number!: string;
  /** How many pieces. */
  @IsInt() @Min(1) count = 1;
  @IsOptional() @IsString() note?: string | null;
  urgency: 'low' | 'high' = 'low';
  lines!: { sku: string; price: number; due?: Date }[];
}
`;
}

function serviceOf(index: number): string {
  const methods = Array.from(
    { length: TOOLS_PER_CLASS },
    (_, tool) => `
  /**
   * Looks orders up, the ${tool}th way.
   *
   * @param window how far back
   * @returns what was found
   */
  @Tool({ name: 'find_${index}_${tool}' })
  async find${tool}(
    /** The number on the invoice */ number: string,
    window: 'day' | 'week' | 'month' = 'week',
    filter?: Partial<Filter>,
    order?: Order${index}Dto,
  ): Promise<Found<Order${index}Dto>> {
    const known = [...this.orders.values()].filter((one) => one.number.startsWith(number));
    const since = new Date(Date.now() - (window === 'day' ? 1 : window === 'week' ? 7 : 30) * 864e5);
    const items = known
      .filter(({ lines }) => lines.some(({ due }) => due === undefined || due > since))
      .filter(({ urgency }) => filter?.urgency === undefined || filter.urgency === urgency)
      .map((one) => ({ ...one, count: one.count + (order?.count ?? 0) }));
    this.logger.debug(\`\${items.length} of \${known.length} since \${since.toISOString()}\`);
    return { items, total: items.reduce((sum, { count }) => sum + count, 0) };
  }
`,
  );
  return `import { Injectable, Logger } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { Order${index}Dto } from './order-${index}.dto';

interface Filter { urgency: 'low' | 'high'; tags: string[]; price: { from: number; to?: number } }
interface Found<Item> { items: Item[]; total: number }

@Injectable()
export class Orders${index}Service {
  private readonly logger = new Logger(Orders${index}Service.name);
  private readonly orders = new Map<string, Order${index}Dto>();
${methods.join('')}}
`;
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.CommonJS,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  sourceMap: true,
  declaration: true,
  skipLibCheck: true,
  types: ['node'],
};

type MakeTransformer = (program: ts.Program) => ts.TransformerFactory<ts.SourceFile>;

/** Any transformer has a cost: the compiler calls it for every file. */
const empty: MakeTransformer = () => () => (file) => file;
const plugin: MakeTransformer = (program) => before({}, program);

/**
 * Declarations of the language and of packages, which all builds share: the build is of an application's
 * own files alone, so the plugin's share is the larger, and pieces are short enough to compare.
 */
const declarations = new Map<string, ts.SourceFile | undefined>();

function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    if (!path.includes('/node_modules/')) return read(path, ...rest);
    if (!declarations.has(path)) declarations.set(path, read(path, ...rest));
    return declarations.get(path);
  };
  return host;
}

/** A build of an application: its files are read, checked and emitted. */
function build(folder: string, paths: readonly string[], make?: MakeTransformer): void {
  const options = { ...OPTIONS, outDir: join(folder, 'dist') };
  const program = ts.createProgram([...paths], options, hostOf(options));
  const before = make ? [make(program)] : [];
  const { diagnostics } = program.emit(undefined, undefined, undefined, false, { before });
  const errors = [...diagnostics, ...ts.getPreEmitDiagnostics(program)];
  if (errors.length > 0)
    throw new Error(ts.flattenDiagnosticMessageText(errors[0]?.messageText, '\n'));
}

async function main(): Promise<void> {
  const root = join(__dirname, '../../../..');
  const folder = mkdtempSync(join(tmpdir(), 'agent-plugin-bench-'));
  mkdirSync(join(folder, 'src'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const paths = [...files(folder), join(folder, 'src/package.d.ts')];
  writeFileSync(
    join(folder, 'src/package.d.ts'),
    `declare module 'nestjs-agent' { export function Tool(options?: object): MethodDecorator; }`,
  );
  const builds = (make?: MakeTransformer) => (): Promise<void> =>
    Promise.resolve(build(folder, paths, make));
  const variants: readonly Measured[] = [
    { name: 'without the plugin', work: builds() },
    { name: 'with an empty transformer', work: builds(empty) },
    { name: 'with the plugin', bound: 1 + MOST, work: builds(plugin) },
  ];
  // The first builds compile the compiler.
  const figures = await measuredByTurns(variants, { rounds: ROUNDS, warmUp: 6, times: 1 });
  rmSync(folder, { recursive: true });
  process.stdout.write(`  build of ${TOOLS} tools, µs of CPU, and its ratio to the first\n`);
  process.stdout.write(`${linesOf(variants, figures).join('\n')}\n`);
}

void main();
