import type { Type } from '@nestjs/common';
import { type JsonSchema, ToolDeclarationError, type ToolOptions } from '../../tool';
import { propertiesOf } from './class-properties';
import { ClassSchemaBuilder } from './class-schema.builder';
import {
  type AnyMethod,
  type ApiProperty,
  apiSuccessOf,
  isClass,
  pluginMethodOf,
  toolReturnOf,
} from '../metadata';
import { apiSourceOf } from './property';
import { sourceOfTemplate } from './described-type';
import { outputSchemaOf } from './schema-of';
import { isSchemaSource, isSchemaType } from './schema-source';
import { builtinSchema } from './type-schema';

/**
 * The schema of a method's result from `output` of `@Tool`, `@ToolReturn({ type })`, `@ApiResponse`,
 * the compiler plugin or the method's return type, in this order; `undefined` without any.
 *
 * @throws ToolDeclarationError naming class and method
 */
export function describeMethodResult(
  target: Type<unknown>,
  methodName: string,
  options: ToolOptions,
): JsonSchema | undefined {
  const method = (target.prototype as Readonly<Record<string, unknown>>)[methodName];
  if (typeof method !== 'function') return undefined;
  const declared = toolReturnOf(method as AnyMethod);
  const annotate = (schema: JsonSchema): JsonSchema => ({
    ...schema,
    ...(declared?.description !== undefined && { description: declared.description }),
    ...(declared?.example !== undefined && { examples: [declared.example] }),
  });
  try {
    const source = options.output ?? declared?.type;
    if (source !== undefined) {
      if (!isSchemaSource(source))
        throw new ToolDeclarationError('output wants a class, a JSON Schema or a Standard Schema.');
      return annotate(outputSchemaOf(source));
    }
    const success = apiSuccessOf(method as AnyMethod, target);
    const answered = success && (apiSourceOf(success) ?? describedAnswer(success.schema));
    if (answered !== undefined) return annotate(outputSchemaOf(answered));
    const described = pluginMethodOf(target, methodName)?.result;
    if (described !== undefined) return annotate(outputSchemaOf(sourceOfTemplate(described)));
    const returned = returnTypeOf(target, methodName);
    // Promise, Observable, Object and the like hide their content; a primitive may be absent.
    if (!isSchemaType(returned) || builtinSchema(returned, 'output', '') !== undefined)
      return undefined;
    if (!isDescribed(returned)) return undefined;
    const schema = outputSchemaOf(returned);
    return Object.keys(schema.properties ?? {}).length > 0 ? annotate(schema) : undefined;
  } catch (error) {
    if (!(error instanceof ToolDeclarationError)) throw error;
    throw new ToolDeclarationError(`${target.name}.${methodName}: its output: ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * Whether results are checked against the schema: those of `output` of `@Tool` and
 * `@ToolReturn({ type })`. A schema from documentation or a return type only describes: an
 * interceptor, a nullable column or a decimal as text may change the result.
 */
export function declaresResult(
  target: Type<unknown>,
  methodName: string,
  options: ToolOptions,
): boolean {
  const method = (target.prototype as Readonly<Record<string, unknown>>)[methodName];
  if (options.output !== undefined) return true;
  return typeof method === 'function' && toolReturnOf(method as AnyMethod)?.type !== undefined;
}

/** The kind of a method's return type; `undefined` for a Promise and the like. */
export function returnedKindOf(
  target: Type<unknown>,
  methodName: string,
): 'array' | 'object' | undefined {
  const returned = returnTypeOf(target, methodName);
  if (returned === Array) return 'array';
  return isDescribed(returned) ? 'object' : undefined;
}

function returnTypeOf({ prototype }: Type<unknown>, methodName: string): unknown {
  return Reflect.getMetadata('design:returntype', prototype as object, methodName);
}

/** The schema of `@ApiResponse({ schema })`; `undefined` for a file or an unknown reference. */
function describedAnswer(schema: unknown): JsonSchema | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const described = new ClassSchemaBuilder('output', []).buildDescribed(schema as ApiProperty);
  const isKnown = Object.keys(described).length > 0 && described.format !== 'binary';
  return isKnown ? described : undefined;
}

/**
 * A class without decorators (`ToolResult`, `StreamableFile`) does not describe a result's JSON.
 */
function isDescribed(type: unknown): boolean {
  return (
    isClass(type) &&
    propertiesOf(type, 'output', []).some(
      ({ rules, api, field, described, transform }) =>
        rules.length > 0 || api || field || described || transform.type,
    )
  );
}
