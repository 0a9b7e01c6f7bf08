import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  ValidationPipe,
} from '@nestjs/common';
import type { JsonValue } from '../../message';
import {
  enumSchema,
  enumValues,
  isStandardSchema,
  schemaOf,
  type SchemaSource,
} from '../../schema';
import type { JsonSchema } from '../../tool';

/** What the pipes of a parameter tell about its value. */
export interface PipeFacts {
  readonly schema?: JsonSchema;
  /** `false` where a pipe accepts a missing value, `true` where it refuses one. */
  readonly required?: boolean;
}

interface PipeOptions {
  readonly optional?: boolean;
  readonly items?: unknown;
  readonly expectedType?: unknown;
}

/** Reads Nest's own pipes, and any pipe that keeps a Standard Schema in `schema`. */
export function pipeFactsOf(pipes: readonly unknown[]): PipeFacts {
  let facts: PipeFacts = {};
  for (const pipe of pipes) facts = { ...facts, ...factsOf(pipe, facts) };
  return facts;
}

function factsOf(pipe: unknown, before: PipeFacts): PipeFacts {
  if (pipe instanceof DefaultValuePipe) return defaultFacts(pipe);
  const schema = parsedSchemaOf(pipe);
  if (schema) {
    const byDefault = before.schema?.default;
    return {
      schema: byDefault === undefined ? schema : { ...schema, default: byDefault },
      // A default value set before the parsing pipe leaves nothing missing.
      required: before.required ?? !optionsOf(pipe).optional,
    };
  }
  const source = validatedSourceOf(pipe);
  return source === undefined ? {} : { schema: schemaOf(source) };
}

function defaultFacts(pipe: DefaultValuePipe<unknown, unknown>): PipeFacts {
  const value = (pipe as unknown as { readonly defaultValue?: unknown }).defaultValue;
  const known = asJson(value);
  if (known === undefined) return { required: false };
  return { schema: { ...typeOf(known), default: known }, required: false };
}

/** A pipe may be given as a class, which Nest then makes without options. */
function parsedSchemaOf(pipe: unknown): JsonSchema | undefined {
  const is = (kind: abstract new (...args: never[]) => unknown) =>
    pipe === kind || pipe instanceof kind;
  if (is(ParseIntPipe)) return { type: 'integer' };
  if (is(ParseFloatPipe)) return { type: 'number' };
  if (is(ParseBoolPipe)) return { type: 'boolean' };
  if (is(ParseUUIDPipe)) return { type: 'string', format: 'uuid' };
  if (is(ParseDatePipe)) return { type: 'string', format: 'date-time' };
  if (pipe instanceof ParseEnumPipe) return enumSchema(valuesOf(pipe));
  if (is(ParseArrayPipe)) return arraySchema(pipe);
  return undefined;
}

function valuesOf(pipe: object): readonly JsonValue[] {
  return enumValues((pipe as { readonly enumType?: unknown }).enumType);
}

function arraySchema(pipe: unknown): JsonSchema {
  const { items } = optionsOf(pipe);
  if (items === undefined) return { type: 'array', items: { type: 'string' } };
  const { $defs, ...schema } = schemaOf(items as SchemaSource);
  return { type: 'array', items: schema, ...($defs && { $defs }) };
}

function validatedSourceOf(pipe: unknown): SchemaSource | undefined {
  if (pipe instanceof ValidationPipe) {
    const { expectedType } = pipe as unknown as PipeOptions;
    return typeof expectedType === 'function' ? (expectedType as SchemaSource) : undefined;
  }
  if (typeof pipe !== 'object' || pipe === null) return undefined;
  const { schema } = pipe as { readonly schema?: unknown };
  return isStandardSchema(schema) ? schema : undefined;
}

function optionsOf(pipe: unknown): PipeOptions {
  if (typeof pipe !== 'object' || pipe === null) return {};
  return (pipe as { readonly options?: PipeOptions }).options ?? {};
}

function asJson(value: unknown): JsonValue | undefined {
  if (value === undefined || typeof value === 'function') return undefined;
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  try {
    return JSON.parse(JSON.stringify(value)) as JsonValue;
  } catch {
    return undefined;
  }
}

function typeOf(value: JsonValue): JsonSchema {
  if (value === null) return {};
  if (Array.isArray(value)) return { type: 'array' };
  return { type: typeof value };
}
