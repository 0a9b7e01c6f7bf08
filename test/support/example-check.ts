import { join } from 'node:path';
import ts from 'typescript';
import type { DocExample } from './doc-examples';
import { type ModuleReader, root } from './module-reader';

/** Where a name comes from that an example uses and does not import: the first of them that has it. */
export const IMPLIED_MODULES = [
  'nestjs-agent',
  'nestjs-agent/types',
  '@nestjs/common',
  '@nestjs/core',
  'class-validator',
  'rxjs',
  './test/support/example-application.js',
];

/** Type-checks examples, all in one program, and returns their problems. */
export function problemsOf(
  examples: readonly DocExample[],
  reader: ModuleReader,
): readonly string[] {
  const implied = impliedNames(reader);
  const files = new Map(
    examples.map(({ code }, index) => [
      // An ES module, which may await at its top.
      join(root, `example-${index}.mts`),
      `${importsFor(code, implied)}${code}\nexport {};\n`,
    ]),
  );
  const program = reader.programOf(files);
  return [...files.keys()].flatMap((path, index) => {
    const file = program.getSourceFile(path);
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    return found.map(
      ({ messageText }) =>
        `${examples[index]?.place}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
}

function impliedNames(reader: ModuleReader): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const module of IMPLIED_MODULES) {
    for (const name of reader.exportsOf(module).keys()) {
      if (!names.has(name)) names.set(name, module);
    }
  }
  return names;
}

function importsFor(code: string, implied: ReadonlyMap<string, string>): string {
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text);
    if (isNamed(node) && node.name && ts.isIdentifier(node.name)) declared.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('example.mts', code, ts.ScriptTarget.ES2023, true));
  return [...used]
    .filter((name) => implied.has(name) && !declared.has(name))
    .map((name) => `import { ${name} } from '${implied.get(name)}'; `)
    .join('');
}

function isNamed(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportClause(node) ||
    ts.isImportSpecifier(node) ||
    ts.isNamespaceImport(node)
  );
}
