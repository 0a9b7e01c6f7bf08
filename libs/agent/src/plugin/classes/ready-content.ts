import type * as ts from 'typescript';
import { classOf } from '../types';

/** Classes whose instances are answered as content, and the files that declare them. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  ToolResult: /[\\/]tool[\\/]tool-result\.(?:d\.)?ts$/,
  StreamableFile: /[\\/]@nestjs[\\/]common[\\/]/,
};

/** Which block it is, and the fields that it may have. */
const BLOCKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['type', 'text', 'providerData']],
  ['image', ['type', 'mediaType', 'data', 'url']],
  ['file', ['type', 'name', 'mediaType', 'data', 'url']],
]);

/**
 * Whether a result can be content for the model, to which no schema applies: a `ToolResult`, content
 * blocks, a file. MCP hosts that get a schema show their model the JSON alone, so a picture
 * would be lost.
 */
export function canBeContent(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion()) return type.types.some((one) => canBeContent(one, checker));
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const items = checker.getTypeArguments(type as ts.TypeReference);
    return items.some((item) => canBeContent(item, checker));
  }
  return isOfClass(type) || isBlock(type, checker);
}

function isOfClass(type: ts.Type): boolean {
  const declaration = classOf(type);
  const file = CLASSES[type.getSymbol()?.name ?? ''];
  return file !== undefined && declaration !== undefined
    ? file.test(declaration.getSourceFile().fileName)
    : false;
}

function isBlock(type: ts.Type, checker: ts.TypeChecker): boolean {
  const kind = type.getProperty('type');
  const value = kind && checker.getTypeOfSymbol(kind);
  const fields = value?.isStringLiteral() === true ? BLOCKS.get(value.value) : undefined;
  if (fields === undefined) return false;
  const names = checker.getPropertiesOfType(type).map(({ name }) => name);
  const hasContent = names.some((name) => ['text', 'data', 'url'].includes(name));
  return hasContent && names.every((name) => fields.includes(name));
}
