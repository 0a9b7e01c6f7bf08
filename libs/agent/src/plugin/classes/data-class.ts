import * as ts from 'typescript';
import { defined } from '../../internal';
import {
  classOf,
  commentOf,
  deprecationOf,
  describable,
  exampleOf,
  extended,
  isBuiltin,
  isPublic,
  isStatic,
  isUnseen,
  takesUndefined,
  type Template,
  type TypeScope,
  whyNotData,
} from '../types';
import type { PluginSettings } from '../plugin-options';
import { decoratorName, decoratorsOf } from './decorators';

/** Decorators of Nest on classes that are not data. */
const COMPONENTS: ReadonlySet<string> = new Set([
  'Injectable',
  'Controller',
  'Module',
  'Catch',
  'Resolver',
  'WebSocketGateway',
]);

/**
 * Whether a class is described by its properties: a class in a file of DTOs, or a class with public
 * properties and a constructor without arguments. The answer depends on this class only, so all
 * compilers agree, file by file.
 */
export function isData(
  node: ts.ClassLikeDeclaration,
  scope: TypeScope,
  settings: PluginSettings,
): boolean {
  if (decoratorsOf(node).some((one) => COMPONENTS.has(decoratorName(one) ?? ''))) return false;
  const properties = node.members.filter(ts.isPropertyDeclaration);
  if (!properties.some(isDescribed) && !silentBase(node, scope)) return false;
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

/**
 * Describes a class's properties. Properties whose type cannot be described are left to decorators.
 */
export function describeProperties(node: ts.ClassLikeDeclaration, scope: TypeScope): Template {
  const base = silentBase(node, scope);
  const described = base ? inherited(scope.checker.getTypeAtLocation(base), base, scope) : [];
  for (const member of node.members) {
    if (!ts.isPropertyDeclaration(member) || !isDescribed(member)) continue;
    const property = scope.checker.getSymbolAtLocation(member.name);
    if (property) described.push(...named(property, member, scope));
  }
  return Object.fromEntries(described);
}

/** Describes all properties of a type, including those of its ancestors. */
export function describeAll(type: ts.Type, place: ts.Node, scope: TypeScope): Template {
  return Object.fromEntries(inherited(type, place, scope));
}

function inherited(type: ts.Type, place: ts.Node, scope: TypeScope): [string, Template][] {
  return scope.checker
    .getPropertiesOfType(type)
    .filter((property) => !isUnseen(property))
    .flatMap((property) => [...named(property, place, scope)]);
}

/**
 * A base class without a description at run time: the result of a call, such as
 * `PartialType(OrderDto)`, or a data class from a package, which the plugin did not compile.
 */
function silentBase(
  node: ts.ClassLikeDeclaration,
  scope: TypeScope,
): ts.ExpressionWithTypeArguments | undefined {
  const base = extended(node);
  if (!base || isComputed(base)) return base;
  return isPackageData(scope.checker.getTypeAtLocation(base), scope) ? base : undefined;
}

/** Whether a type is a class in a declaration file whose instances are data. */
function isPackageData(type: ts.Type, scope: TypeScope): boolean {
  if (classOf(type)?.getSourceFile().isDeclarationFile !== true) return false;
  const symbol = type.getSymbol();
  if (symbol === undefined || isBuiltin(symbol, scope.program)) return false;
  return whyNotData(type, symbol, scope) === undefined;
}

/** Whether a call creates a class's base; calls of `@nestjs/mapped-types` are known by name. */
function isComputed({ expression: call }: ts.ExpressionWithTypeArguments): boolean {
  if (!ts.isCallExpression(call)) return false;
  const { expression } = call;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(name) && name.text.endsWith('Type');
}

/** A property by its name; none if there is no description. */
function named(
  property: ts.Symbol,
  place: ts.Node,
  scope: TypeScope,
): readonly [string, Template][] {
  const described = describeProperty(property, place, scope);
  return described ? [[property.name, described]] : [];
}

function describeProperty(
  property: ts.Symbol,
  place: ts.Node,
  scope: TypeScope,
): Template | undefined {
  const { checker } = scope;
  const member = property.declarations?.find(ts.isPropertyDeclaration);
  const type = checker.getTypeOfSymbolAtLocation(property, place);
  if (checker.getNonNullableType(type).getCallSignatures().length > 0) return undefined;
  if (member) scope.depend(member.getSourceFile());
  const description = commentOf(property, checker);
  const isMarked = (property.flags & ts.SymbolFlags.Optional) !== 0;
  const isOptional = isMarked || member?.initializer !== undefined || takesUndefined(type);
  const template = describable(type, scope, 'input', member?.type);
  const example = member && exampleOf(member, template ?? {});
  const deprecated = (member && deprecationOf(member)) !== undefined || undefined;
  const optional = isOptional || undefined;
  return defined({ description, deprecated, example, optional, type: template });
}
