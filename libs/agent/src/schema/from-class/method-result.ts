import type { Type } from '@nestjs/common';
import { getOrAdd, oncePer } from '../../internal';
import { type JsonSchema, ToolDeclarationError, type ToolOptions } from '../../tool';
import { propertiesOf } from './class-properties';
import { ClassSchemaBuilder } from './class-schema.builder';
import {
  type ApiProperty,
  apiSuccessOf,
  isClass,
  methodOf,
  pluginMethodOf,
  toolReturnOf,
} from '../metadata';
import { apiSourceOf } from './property';
import { sourceOfTemplate } from './described-type';
import { outputSchemaOf } from './schema-of';
import { isSchemaSource, isSchemaType } from './schema-source';
import { standardSchemaOf } from './standard-schema';
import { builtinSchema } from './type-schema';

/**
 * The schema of a method's result from `output` of `@Tool`, `@ToolReturn({ type })`, `@ApiResponse`,
 * the compiler plugin or the method's return type, in this order; `undefined` without any, or if its
 * documentation cannot be expressed as JSON Schema.
 *
 * @throws ToolDeclarationError naming class and method, for a result that the tool declares itself
 */
export function describeMethodResult(
  target: Type<unknown>,
  methodName: string,
  options: ToolOptions,
): JsonSchema | undefined {
  const method = methodOf(target, methodName);
  if (method === undefined) return undefined;
  const returned = toolReturnOf(method);
  const source = options.output ?? returned?.type;
  const schema =
    source === undefined
      ? documentedResult(target, methodName).schema
      : declaredResult(source, `${target.name}.${methodName}`);
  return (
    schema && {
      ...schema,
      ...(returned?.description !== undefined && { description: returned.description }),
      ...(returned?.example !== undefined && { examples: [returned.example] }),
    }
  );
}

/** Why the documentation of a method's result cannot be expressed as JSON Schema; `undefined` if it can. */
export function documentationProblem(
  target: Type<unknown>,
  methodName: string,
): string | undefined {
  return documentedResult(target, methodName).problem;
}

function declaredResult(source: unknown, place: string): JsonSchema {
  try {
    if (isSchemaSource(source)) return outputSchemaOf(source);
    throw new ToolDeclarationError('output must be a class, a JSON Schema or a Standard Schema.');
  } catch (error) {
    if (!(error instanceof ToolDeclarationError)) throw error;
    throw new ToolDeclarationError(`${place}: its output: ${error.message}`, { cause: error });
  }
}

/** The documented schema of a result, or the reason for its absence. */
interface DocumentedResult {
  readonly schema?: JsonSchema | undefined;
  readonly problem?: string;
}

// Decorators do not change once a class is defined. The tool and the boot report ask for each method.
const known = oncePer((_target: Type<unknown>) => new Map<string, DocumentedResult>());

function documentedResult(target: Type<unknown>, methodName: string): DocumentedResult {
  return getOrAdd(known(target), methodName, () => readResult(target, methodName));
}

function readResult(target: Type<unknown>, methodName: string): DocumentedResult {
  try {
    return { schema: readDocumentation(target, methodName) };
  } catch (error) {
    if (error instanceof ToolDeclarationError) return { problem: error.message };
    if (error instanceof RangeError)
      return { problem: 'It contains itself, or is nested too deeply.' };
    throw error;
  }
}

/** @throws ToolDeclarationError */
function readDocumentation(target: Type<unknown>, methodName: string): JsonSchema | undefined {
  const method = methodOf(target, methodName);
  const success = method && apiSuccessOf(method, target);
  const answered = success && (apiSourceOf(success) ?? describedAnswer(success.schema));
  if (answered !== undefined) return outputSchemaOf(answered);
  const described = pluginMethodOf(target, methodName)?.result;
  if (described !== undefined) return outputSchemaOf(sourceOfTemplate(described));
  const returned = returnTypeOf(target, methodName);
  // Promise, Observable, Object and the like hide their content; a primitive may be absent.
  if (!isSchemaType(returned) || builtinSchema(returned, 'output', '') !== undefined)
    return undefined;
  if (!isDescribed(returned)) return undefined;
  const schema = outputSchemaOf(returned);
  return Object.keys(schema.properties ?? {}).length > 0 ? schema : undefined;
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
  if (options.output !== undefined) return true;
  const method = methodOf(target, methodName);
  return method !== undefined && toolReturnOf(method)?.type !== undefined;
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
  const described = new ClassSchemaBuilder('output').buildDescribed(schema as ApiProperty);
  const isKnown = Object.keys(described).length > 0 && described.format !== 'binary';
  return isKnown ? described : undefined;
}

/**
 * A class without decorators (`ToolResult`, `StreamableFile`) does not describe a result's JSON.
 */
function isDescribed(type: unknown): boolean {
  return (
    isClass(type) &&
    (standardSchemaOf(type) !== undefined ||
      propertiesOf(type, 'output').some(
        ({ rules, api, field, described, transform }) =>
          rules.length > 0 || api || field || described || transform.type,
      ))
  );
}
