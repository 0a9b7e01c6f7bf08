import ts from 'typescript';
import { ENTRY_POINTS, ModuleReader } from './support/module-reader';

/** The interfaces that applications implement by a class, which has to name its parameters' types. */
const IMPLEMENTED = ['SessionStore', 'RunBus', 'RunQueue', 'AuditSink', 'ToolInterceptor'];

describe('the types that an own implementation names', () => {
  const reader = new ModuleReader(ENTRY_POINTS);
  const exported = new Map(ENTRY_POINTS.flatMap((entry) => [...reader.exportsOf(entry)]));

  it.each(IMPLEMENTED)('are exported beside %s', (name) => {
    const [declaration] = exported.get(name)?.declarations ?? [];
    if (declaration === undefined) throw new Error(`${name} is not exported.`);
    const own = declaration.getSourceFile();
    const missing = new Set<string>();
    const visit = (node: ts.Node): void => {
      if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
        const { text } = node.typeName;
        if (isOfTheLibrary(own, text) && !exported.has(text)) missing.add(text);
      }
      ts.forEachChild(node, visit);
    };
    visit(declaration);
    expect([...missing]).toEqual([]);
  });
});

/** Whether a file declares or imports a type, so that it is none of TypeScript's own. */
function isOfTheLibrary(file: ts.SourceFile, name: string): boolean {
  return file.statements.some(
    (statement) =>
      ((ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
        statement.name.text === name) ||
      (ts.isImportDeclaration(statement) &&
        new RegExp(`\\b${name}\\b`).test(statement.importClause?.getText(file) ?? '')),
  );
}
