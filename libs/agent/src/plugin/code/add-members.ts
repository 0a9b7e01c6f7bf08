import * as ts from 'typescript';
import { PLUGIN_KEY } from '../../internal';
import type { DescribedClass } from '../classes';
import { expressionOf } from './expression';
import { FileClasses } from './file-classes';

/** The file with a description of each class in a static member. */
export function withMembers(
  file: ts.SourceFile,
  classes: readonly DescribedClass[],
  program: ts.Program,
  context: ts.TransformationContext,
): ts.SourceFile {
  if (classes.length === 0) return file;
  const original = ts.getOriginalNode(file, ts.isSourceFile);
  const names = new FileClasses(original, program);
  const said = new Map(classes.map(({ node, template }) => [`${node.pos}:${node.end}`, template]));
  const isFlat = classes.every(({ node }) => ts.isSourceFile(node.parent));
  const visit = (node: ts.Node): ts.Node => {
    // Visiting every method of a file would cost as much as emitting it.
    const visited = isFlat ? node : ts.visitEachChild(node, visit, context);
    if (!ts.isClassLike(visited)) return visited;
    // Another plugin may have rewritten the class before.
    const { pos, end } = ts.getOriginalNode(node);
    const template = said.get(`${pos}:${end}`);
    if (!template) return visited;
    return withMember(visited, memberOf(expressionOf(template, (symbol) => names.nameOf(symbol))));
  };
  return names.withImports(ts.visitEachChild(file, visit, context));
}

function memberOf(value: ts.Expression): ts.MethodDeclaration {
  const { factory } = ts;
  return factory.createMethodDeclaration(
    [factory.createToken(ts.SyntaxKind.StaticKeyword)],
    undefined,
    PLUGIN_KEY,
    undefined,
    undefined,
    [],
    undefined,
    factory.createBlock([factory.createReturnStatement(value)]),
  );
}

function withMember(
  node: ts.ClassLikeDeclaration,
  member: ts.MethodDeclaration,
): ts.ClassLikeDeclaration {
  const { factory } = ts;
  const { modifiers, name, typeParameters, heritageClauses } = node;
  const members = [...node.members, member];
  const parts = [modifiers, name, typeParameters, heritageClauses, members] as const;
  return ts.isClassDeclaration(node)
    ? factory.updateClassDeclaration(node, ...parts)
    : factory.updateClassExpression(node, ...parts);
}
