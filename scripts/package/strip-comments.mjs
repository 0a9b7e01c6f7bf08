import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Removes the comments from compiled code: they are for readers of the sources, and users read
 * those of the declarations.
 */
export function stripComments(folder) {
  const printer = ts.createPrinter({ removeComments: true });
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const path = join(folder, file);
    const code = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
    writeFileSync(path, printer.printFile(code));
  }
}
