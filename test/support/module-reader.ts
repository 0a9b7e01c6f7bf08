import { join } from 'node:path';
import ts from 'typescript';

export const root = join(__dirname, '../..');

/** The entry points that users may import. */
export const ENTRY_POINTS = [
  'nestjs-agent',
  'nestjs-agent/anthropic',
  'nestjs-agent/bullmq',
  'nestjs-agent/endpoints',
  'nestjs-agent/evals',
  'nestjs-agent/mcp',
  'nestjs-agent/models',
  'nestjs-agent/ai-sdk',
  'nestjs-agent/otel',
  'nestjs-agent/plugin',
  'nestjs-agent/redis',
  'nestjs-agent/sql',
  'nestjs-agent/testing',
  'nestjs-agent/types',
  'nestjs-agent/ui',
  'nestjs-agent/ui/agent-chat.js',
];

/** A file that imports all modules that are asked for. */
const INDEX = join(root, 'modules.mts');

/** Modules as the compiler sees them: the package's own from its sources, the others as installed. */
export class ModuleReader {
  readonly options = compilerOptions();
  readonly program: ts.Program;
  private readonly specifiers: ReadonlyMap<string, ts.Expression>;

  constructor(modules: readonly string[]) {
    const imports = modules.map((name) => `import '${name}';\n`);
    this.program = this.programOf(new Map([[INDEX, imports.join('')]]));
    const statements = this.program.getSourceFile(INDEX)?.statements ?? [];
    this.specifiers = new Map(
      modules.map((name, index) => {
        const statement = statements[index] as ts.ImportDeclaration;
        return [name, statement.moduleSpecifier];
      }),
    );
  }

  /** The exports of a module, by name. @throws Error if there is no such module */
  exportsOf(module: string): ReadonlyMap<string, ts.Symbol> {
    const checker = this.program.getTypeChecker();
    const specifier = this.specifiers.get(module);
    const symbol = specifier && checker.getSymbolAtLocation(specifier);
    if (symbol === undefined) throw new Error(`There is no module ${module}.`);
    return new Map(
      checker
        .getExportsOfModule(symbol)
        .map((each) => [
          each.name,
          each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each,
        ]),
    );
  }

  /** A program of files that are not on the disk. It shares the files of earlier programs. */
  programOf(files: ReadonlyMap<string, string>): ts.Program {
    const host = ts.createCompilerHost(this.options);
    const { fileExists, getSourceFile } = host;
    const earlier = this.program as ts.Program | undefined;
    host.fileExists = (path) => files.has(path) || fileExists(path);
    host.getSourceFile = (path, target) => {
      const text = files.get(path);
      return text === undefined
        ? (earlier?.getSourceFile(path) ?? getSourceFile(path, target))
        : ts.createSourceFile(path, text, target);
    };
    return ts.createProgram([...files.keys()], this.options, host, earlier);
  }
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as {
    config: { compilerOptions: ts.CompilerOptions & { paths: ts.MapLike<readonly string[]> } };
  };
  const { paths, ...options } = config.compilerOptions;
  return ts.convertCompilerOptionsFromJson(
    {
      ...options,
      paths: withExtensions(paths),
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      noEmit: true,
      noUnusedLocals: false,
      noUnusedParameters: false,
    },
    root,
  ).options;
}

/** ES modules want whole names of files. */
function withExtensions(paths: ts.MapLike<readonly string[]>): ts.MapLike<readonly string[]> {
  const entries = Object.entries(paths);
  return Object.fromEntries([
    ...entries.map(([name, targets]) => [name, targets.map((target) => `${target}.ts`)] as const),
    ['nestjs-agent/ui/agent-chat.js', ['./libs/chat-ui/public/agent-chat.d.mts']],
  ]);
}
