import * as ts from 'typescript';

/** Whether a file is emitted with `import` and `export`. */
export function isEsmFile(file: ts.SourceFile, options: ts.CompilerOptions): boolean {
  if (isNodeModule(options)) return file.impliedNodeFormat === ts.ModuleKind.ESNext;
  return (options.module ?? ts.ModuleKind.CommonJS) >= ts.ModuleKind.ES2015;
}

/** Whether modules are resolved as in Node, where `import()` needs the file's extension. */
export function isNodeModule({ module = ts.ModuleKind.CommonJS }: ts.CompilerOptions): boolean {
  return module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext;
}
