import * as ts from 'typescript';
import {
  commentOf,
  deprecationOf,
  describable,
  exampleOf,
  isPublic,
  isStatic,
  takesUndefined,
  type Template,
  type TypeScope,
} from '../types';
import type { PluginSettings } from '../plugin-options';
import { decoratorName, decoratorsOf } from './decorators';

/** Decorators of Nest on classes that are no data. */
const COMPONENTS: ReadonlySet<string> = new Set([
  'Injectable',
  'Controller',
  'Module',
  'Catch',
  'Resolver',
  'WebSocketGateway',
]);

/**
 * Whether a class is described by its properties: one in a file of DTOs, or one of public properties
 * that is made without arguments. It depends on this class alone, so every compiler agrees, file by
 * file.
 */
export function isData(node: ts.ClassLikeDeclaration, settings: PluginSettings): boolean {
  if (decoratorsOf(node).some((one) => COMPONENTS.has(decoratorName(one) ?? ''))) return false;
  const properties = node.members.filter(ts.isPropertyDeclaration);
  if (!properties.some(isDescribed)) return false;
  const { fileName } = node.getSourceFile();
  if (settings.dtoFileNameSuffix.some((suffix) => fileName.endsWith(suffix))) return true;
  return (
    properties.every((one) => isStatic(one) || isPublic(one)) &&
    node.members.every((one) => !ts.isConstructorDeclaration(one) || one.parameters.length === 0)
  );
}

function isDescribed(property: ts.PropertyDeclaration): boolean {
  return !isStatic(property) && isPublic(property) && nameOf(property) !== undefined;
}

function nameOf({ name }: ts.PropertyDeclaration): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;
}

/** What a class's properties say of themselves. What cannot be said is left to decorators. */
export function describeProperties(node: ts.ClassLikeDeclaration, scope: TypeScope): Template {
  const described: [string, Template][] = [];
  for (const member of node.members) {
    if (!ts.isPropertyDeclaration(member) || !isDescribed(member)) continue;
    const property = describeProperty(member, scope);
    const name = nameOf(member);
    if (property && name !== undefined) described.push([name, property]);
  }
  return Object.fromEntries(described);
}

function describeProperty(member: ts.PropertyDeclaration, scope: TypeScope): Template | undefined {
  const { checker } = scope;
  const symbol = checker.getSymbolAtLocation(member.name);
  const type = checker.getTypeAtLocation(member);
  if (type.getCallSignatures().length > 0) return undefined;
  const description = commentOf(symbol, checker);
  const isOptional = member.questionToken !== undefined || member.initializer !== undefined;
  const template = describable(type, scope, 'input', member.type);
  const example = exampleOf(member, template ?? {});
  return {
    ...(description !== undefined && { description }),
    ...(deprecationOf(member) !== undefined && { deprecated: true }),
    ...(example !== undefined && { example }),
    ...((isOptional || takesUndefined(type)) && { optional: true }),
    ...(template && { type: template }),
  };
}
