// The cost of a boot with tools described by the compiler plugin, compared with the same tools with
// decorators.
import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import ts from 'typescript';
import { AgentModule, ToolRegistry } from '../../src';
import { before } from '../../src/plugin';
import { linesOf } from '../support/by-turns';

const HOOK = join(__dirname, '../../../../test/support/typescript-hook.cjs');
const ROOT = join(__dirname, '../../../..');
const TOOLS = 1_000;
const ROUNDS = 31;

const HEAD = `import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Length, Min } from 'class-validator';
import { Tool, ToolField, ToolParam } from 'nestjs-agent';
`;

/** @param say returns the code that describes a property */
function dtoOf(index: number, say: (text: string) => string): string {
  return `class Item${index}Dto {
  ${say('Its name')} @IsString() @Length(1, 20) name!: string;
  ${say('How many')} @IsOptional() @IsInt() @Min(${index}) count?: number;
}
`;
}

/** The source without the plugin. */
function decorated(index: number): string {
  return `${dtoOf(index, (text) => `@ToolField({ description: '${text}' })`)}@Injectable() class Item${index}Tools {
  @Tool({ name: 'create_${index}', description: 'Creates an item.' })
  create(
    @ToolParam('item', { description: 'The item' }) item: Item${index}Dto,
    @ToolParam('dry', { description: 'Whether to check only' }) dry: boolean,
  ): unknown { return { item, dry }; }
}
`;
}

/** The source with the plugin. */
function commented(index: number): string {
  return `${dtoOf(index, (text) => `/** ${text} */`)}@Injectable() class Item${index}Tools {
  /** Creates an item. */
  @Tool({ name: 'create_${index}' })
  create(
    /** The item */ item: Item${index}Dto,
    /** Whether to check only */ dry: boolean,
  ): unknown { return { item, dry }; }
}
`;
}

function sourceOf(write: (index: number) => string): string {
  const indexes = Array.from({ length: TOOLS }, (_, index) => index);
  const names = indexes.map((index) => `Item${index}Tools`).join(', ');
  return `${HEAD}${indexes.map(write).join('')}export const providers = [${names}];\n`;
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  useDefineForClassFields: false,
  module: ts.ModuleKind.CommonJS,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  types: ['node'],
};

const PACKAGE = `declare module 'nestjs-agent' {
  export function Tool(options: object): MethodDecorator;
  export function ToolField(options: object): PropertyDecorator;
  export function ToolParam(name: string, options: object): ParameterDecorator;
}`;

/** @returns the path of the compiled file */
function compiled(
  folder: string,
  name: string,
  write: (index: number) => string,
  hasPlugin: boolean,
): string {
  const path = join(folder, `${name}.ts`);
  writeFileSync(path, sourceOf(write));
  const program = ts.createProgram([path, join(folder, 'package.d.ts')], OPTIONS);
  const { diagnostics } = program.emit(undefined, undefined, undefined, false, {
    before: hasPlugin ? [before({}, program)] : [],
  });
  const [error] = [...diagnostics, ...ts.getPreEmitDiagnostics(program)];
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  return join(folder, `${name}.js`);
}

/** Boots the tools of a compiled file, and prints the microseconds of CPU that it took. */
async function boot(path: string): Promise<void> {
  const begun = process.cpuUsage();
  const { providers } = (await import(path)) as { readonly providers: readonly Type<unknown>[] };
  @Module({ imports: [AgentModule.forRoot({ path: false })], providers: [...providers] })
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  const { user, system } = process.cpuUsage(begun);
  const schemas = app
    .get(ToolRegistry)
    .list()
    .map(({ input_schema: schema }) => JSON.stringify(schema));
  const described = schemas.filter((schema) => schema.includes('How many'));
  if (described.length !== TOOLS) throw new Error(`${described.length} tools are described.`);
  process.stdout.write(String(user + system));
  await app.close();
}

/** Code runs for the first time at a boot, so each boot is a separate process. */
function microsOf(path: string): number {
  const { stdout } = spawnSync(process.execPath, ['--require', HOOK, __filename, path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Number(stdout);
}

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'agent-plugin-boot-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.d.ts'), PACKAGE);
  const variants = [
    { name: 'with decorators', path: compiled(folder, 'decorated', decorated, false) },
    { name: 'with the plugin', path: compiled(folder, 'commented', commented, true) },
  ];
  const figures = variants.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { path }] of variants.entries()) figures[index]?.push(microsOf(path));
  rmSync(folder, { recursive: true });
  process.stdout.write(`  boot of ${TOOLS} tools, µs of CPU, and its ratio to the first\n`);
  process.stdout.write(`${linesOf(variants, figures).join('\n')}\n`);
}

const [compiledPath] = process.argv.slice(2);
if (compiledPath === undefined) main();
else void boot(compiledPath);
