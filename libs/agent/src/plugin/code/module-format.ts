import * as ts from 'typescript';

/** Whether a file is emitted with `import` and `export`. */
export function isEsmFile(file: ts.SourceFile, options: ts.CompilerOptions): boolean {
  if (isNodeModule(options)) return file.impliedNodeFormat === ts.ModuleKind.ESNext;
  return (options.module ?? ts.ModuleKind.CommonJS) >= ts.ModuleKind.ES2015;
}

/** Whether modules are as Node has them, where `import()` needs a file's ending. */
export function isNodeModule({ module = ts.ModuleKind.CommonJS }: ts.CompilerOptions): boolean {
  return module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext;
}
