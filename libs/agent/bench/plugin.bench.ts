import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { before } from '../src/plugin';

const TOOLS = 1_000;
const TOOLS_PER_CLASS = 4;
const ROUNDS = 6;
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

/** A transformer costs something by itself: the compiler calls it for every file. */
const empty: MakeTransformer = () => () => (file) => file;
const plugin: MakeTransformer = (program) => before({}, program);

/** Milliseconds of CPU of a whole build: reading, checking, emitting. */
function build(folder: string, paths: readonly string[], make?: MakeTransformer): number {
  globalThis.gc?.();
  const from = process.cpuUsage();
  const program = ts.createProgram([...paths], { ...OPTIONS, outDir: join(folder, 'dist') });
  const transformers = make ? [make(program)] : [];
  const { diagnostics } = program.emit(undefined, undefined, undefined, false, {
    before: transformers,
  });
  const errors = [...diagnostics, ...ts.getPreEmitDiagnostics(program)];
  if (errors.length > 0)
    throw new Error(ts.flattenDiagnosticMessageText(errors[0]?.messageText, '\n'));
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

function main(): void {
  const root = join(__dirname, '../../..');
  const folder = mkdtempSync(join(tmpdir(), 'agent-plugin-bench-'));
  mkdirSync(join(folder, 'src'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const paths = [...files(folder), join(folder, 'src/package.d.ts')];
  writeFileSync(
    join(folder, 'src/package.d.ts'),
    `declare module 'nestjs-agent' { export function Tool(options?: object): MethodDecorator; }`,
  );
  const variants = [undefined, empty, plugin];
  // The first builds compile the compiler.
  for (const make of variants) build(folder, paths, make);
  const times = variants.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (let place = 0; place < variants.length; place++) {
      // Each round begins with another variant, so that none always follows the same one.
      const index = (place + round) % variants.length;
      times[index]?.push(build(folder, paths, variants[index]));
    }
  rmSync(folder, { recursive: true });
  // Whatever else the machine does only adds.
  const [without = NaN, withEmpty = NaN, withIt = NaN] = times.map((all) => Math.min(...all));
  const share = withIt / without - 1;
  const line = (name: string, text: string) => process.stdout.write(`${name.padEnd(48)}${text}\n`);
  line(`build of ${TOOLS} tools, CPU`, `${without.toFixed(0)} ms`);
  line('the same with an empty transformer', `${withEmpty.toFixed(0)} ms`);
  line('the same with the plugin', `${withIt.toFixed(0)} ms`);
  line('share of the plugin', `${(share * 100).toFixed(1)} % (bound ${MOST * 100} %)`);
  if (share > MOST) process.exitCode = 1;
}

main();
