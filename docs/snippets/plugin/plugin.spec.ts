import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { Test } from '@nestjs/testing';
import { AgentModule, offline, ToolRegistry } from 'nestjs-agent';
import { factory, PluginMetadataGenerator } from 'nestjs-agent/plugin';
import ts from 'typescript';
import { AppModule } from './app.module';
import definition from './definition.json';
import nestCli from './nest-cli.json';
import nestCliSwc from './nest-cli-swc.json';
import nestCliOptions from './nest-cli-options.json';
import type { OrdersTools } from './orders.tools';

/** The guide's class as the plugin compiles it. */
function compiled(): typeof OrdersTools {
  const path = join(__dirname, 'orders.tools.ts');
  const program = ts.createProgram([path], {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
    noResolve: true,
    types: [],
  });
  let code = '';
  const before = [factory({ program })];
  program.emit(program.getSourceFile(path), (_, text) => (code = text), undefined, false, {
    before,
  });
  const exported: { OrdersTools?: typeof OrdersTools } = {};
  const run = runInThisContext(`(function (exports, require) {${code}\n})`) as (
    exported: object,
    required: (name: string) => unknown,
  ) => void;
  run(exported, (name) => jest.requireActual(name));
  if (exported.OrdersTools === undefined) throw new Error('Nothing was compiled.');
  return exported.OrdersTools;
}

describe('the guide to the plugin', () => {
  it('shows what the model is told', async () => {
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ model: offline(), path: false })],
      providers: [compiled()],
    }).compile();
    await module.init();
    const tool = module.get(ToolRegistry).get('find');
    expect(tool?.description).toBe('Looks an order up by its number.');
    expect(tool?.input_schema).toEqual(definition);
    await module.close();
  });

  it('names the plugin as the compilers load it', () => {
    for (const { compilerOptions } of [nestCli, nestCliSwc])
      expect(compilerOptions.plugins).toContain('nestjs-agent/plugin');
    const [{ name, options }] = nestCliOptions.compilerOptions.plugins as [
      { name: string; options: object },
    ];
    expect(name).toBe('nestjs-agent/plugin');
    expect(() => factory({}, options)).not.toThrow();
    const { transform } = jest.requireActual<{ transform: object }>('./ts-jest.js');
    expect(JSON.stringify(transform)).toContain('"before":["nestjs-agent/plugin"]');
  });

  it('passes on what the generator writes', async () => {
    const generate = jest.spyOn(PluginMetadataGenerator.prototype, 'generate').mockReturnValue();
    jest.requireActual('./generate-metadata.cjs');
    expect(generate).toHaveBeenCalledWith(
      expect.objectContaining({ outputDir: join(__dirname, 'src') }),
    );
    generate.mockRestore();
    const { transform } = jest.requireActual<{ transform: object }>('./swc-jest.js');
    expect(JSON.stringify(transform)).toContain('"decoratorMetadata":true');
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    expect(module.get(ToolRegistry).list()).toEqual([]);
    await module.close();
  });
});
