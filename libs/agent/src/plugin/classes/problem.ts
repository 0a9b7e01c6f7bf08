import * as ts from 'typescript';

/** A type that cannot be described, with its position. */
export interface Problem {
  readonly file: ts.SourceFile;
  readonly start: number;
  readonly length: number;
  /** Class and method. */
  readonly source: string;
  readonly message: string;
}

/** @param source class and method */
export function problemAt(node: ts.Node, source: string, message: string): Problem {
  const file = node.getSourceFile();
  const start = node.getStart(file);
  return { file, start, length: node.getEnd() - start, source, message };
}

/** The compiler's diagnostics start far below. */
const CODE = 910_047;

/** The problem as a diagnostic of the compiler. */
export function diagnosticOf({ file, start, length, source, message }: Problem): ts.Diagnostic {
  return {
    category: ts.DiagnosticCategory.Error,
    code: CODE,
    source: 'nestjs-agent',
    file,
    start,
    length,
    messageText: `${source}: ${message}`,
  };
}

/** The problem on one line, with file and line. */
export function lineOf({ file, start, source, message }: Problem): string {
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${file.fileName}:${line + 1}:${character + 1} ${source}: ${message}`;
}
