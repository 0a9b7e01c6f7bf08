import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  type PipeTransform,
  ValidationPipe,
} from '@nestjs/common';
import { defined, isA } from '../../internal';
import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { asJson } from '../metadata';
import { FLOAT_TEXT, INTEGER_TEXT, typesOf } from '../json-schema';
import { enumSchema, enumValues } from '../rules';
import { schemaInGroups, schemaOf } from './schema-of';
import type { SchemaOptions, SchemaType } from './schema-source';
import { type SkippedValues, skippedValues } from './skipped-values';
import {
  offersJsonSchema,
  standardSchemaOf,
  type StandardSchemaV1,
  takesMissing,
} from './standard-schema';
import { takenDefault } from './taken-default';
import { DATE_AS_TEXT } from './type-schema';

/** The input of a parameter's pipes. */
export interface PipeSchema {
  /** `undefined` if no pipe determines the type. */
  readonly schema?: JsonSchema;
  /** Whether a missing value is refused; `undefined` if no pipe is known to decide it. */
  readonly isRequired?: boolean;
  /** The default for a missing value as the pipes take it, if it is JSON. */
  readonly default?: JsonValue;
  /** The separator of a list that is sent as one text. */
  readonly separator?: string;
  /** What a `ValidationPipe` checks of a class; missing if it checks all. */
  readonly checks?: SchemaOptions;
}

/**
 * Reads Nest's own pipes, and any pipe with a Standard Schema in `schema`. The first known pipe
 * counts, since it receives the value as sent.
 *
 * @param isTextTaken whether text that a pipe converts is described too
 * @param outer the pipes of the method, its class and the application, which apply only to values that a
 *   `ValidationPipe` does not check
 */
export function pipeSchemaOf(
  pipes: readonly unknown[],
  {
    isTextTaken,
    outer = [],
  }: { readonly isTextTaken: boolean; readonly outer?: readonly unknown[] },
): PipeSchema {
  let schema: JsonSchema | undefined;
  let isRequired: boolean | undefined;
  let fallback: JsonValue | undefined;
  let separator: string | undefined;
  let groups: readonly string[] | undefined;
  const skipped = skippedValues([...outer, ...pipes]);
  for (const pipe of pipes) {
    if (pipe instanceof DefaultValuePipe) {
      fallback = asJson((pipe as unknown as PipeSettings).defaultValue);
      isRequired ??= false;
      continue;
    }
    const parsed = parsedSchema(pipe, isTextTaken);
    const standard = pipeSourceOf(pipe);
    // Of one without JSON Schema only the pipe knows anything.
    const own = standard && offersJsonSchema(standard) ? standard : undefined;
    if (parsed !== undefined && settingsOf(pipe).options?.optional === true) isRequired ??= false;
    else if (parsed !== undefined && !isOverridden(pipe)) isRequired ??= true;
    else if (standard && (!own || takesMissing(own))) isRequired ??= false;
    if (isA(pipe, ParseArrayPipe)) separator ??= settingsOf(pipe).options?.separator ?? ',';
    if (pipe instanceof ValidationPipe) groups ??= settingsOf(pipe).validatorOptions?.groups;
    schema ??= parsed ?? (own ? schemaOf(own) : expectedSchema(pipe, skipped));
  }
  const byDefault = takenDefault(fallback, schema, separator);
  const checks = groups || skipped ? defined({ groups, skipped }) : undefined;
  return defined({ schema, isRequired, default: byDefault, separator, checks });
}

/** The options that Nest's pipes store. */
interface PipeSettings {
  readonly options?: {
    readonly optional?: boolean;
    readonly items?: SchemaType;
    readonly separator?: string;
  };
  readonly defaultValue?: unknown;
  readonly enumType?: unknown;
  readonly version?: string;
  readonly expectedType?: unknown;
  readonly validatorOptions?: { readonly groups?: readonly string[] };
  readonly schema?: unknown;
  /** Of the pipe of `nestjs-zod`. */
  readonly schemaOrDto?: unknown;
}

function settingsOf(pipe: unknown): PipeSettings {
  return typeof pipe === 'object' && pipe !== null ? pipe : {};
}

const INTEGER: JsonSchema = { type: ['integer', 'string'], pattern: INTEGER_TEXT };
const FLOAT: JsonSchema = { type: ['number', 'string'], pattern: FLOAT_TEXT };
const BOOLEAN: JsonSchema = { type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] };

function parsedSchema(pipe: unknown, isTextTaken: boolean): JsonSchema | undefined {
  const schema = schemaOfNests(pipe, isTextTaken);
  return schema && isOverridden(pipe) ? loosened(schema) : schema;
}

function schemaOfNests(pipe: unknown, isTextTaken: boolean): JsonSchema | undefined {
  const { options, enumType, version } = settingsOf(pipe);
  if (isA(pipe, ParseIntPipe)) return isTextTaken ? INTEGER : { type: 'integer' };
  if (isA(pipe, ParseFloatPipe)) return isTextTaken ? FLOAT : { type: 'number' };
  if (isA(pipe, ParseBoolPipe)) return isTextTaken ? BOOLEAN : { type: 'boolean' };
  if (pipe instanceof ParseEnumPipe) return enumSchema(enumValues(enumType));
  if (isA(pipe, ParseArrayPipe)) return schemaOf([options?.items ?? (isTextTaken ? {} : String)]);
  if (isA(pipe, ParseUUIDPipe))
    return { type: 'string', format: 'uuid', ...(version && { description: `UUID v${version}` }) };
  if (!isA(pipe, ParseDatePipe)) return undefined;
  return isTextTaken ? schemaOf(Date) : DATE_AS_TEXT;
}

const PARSERS: readonly (abstract new (...args: never[]) => PipeTransform)[] = [
  ParseIntPipe,
  ParseFloatPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseArrayPipe,
  ParseUUIDPipe,
  ParseDatePipe,
];

/** Whether an application's pipe extends one of Nest's and may take more than that one, such as `me` for an id. */
function isOverridden(pipe: unknown): boolean {
  const parser = PARSERS.find((one) => isA(pipe, one));
  const own = (typeof pipe === 'function' ? pipe.prototype : pipe) as object;
  return parser !== undefined && transformOf(own) !== transformOf(parser.prototype as object);
}

function transformOf(pipe: object): unknown {
  return (pipe as Readonly<Record<string, unknown>>).transform;
}

/** Besides the values of a schema, any text. */
function loosened({ type, enum: values, description, items, $defs }: JsonSchema): JsonSchema {
  const types = new Set([...typesOf(type), 'string']);
  const note = values ? `such as ${values.map(String).join(', ')}` : description;
  return {
    type: types.size === 1 ? 'string' : [...types],
    ...defined({ description: note, items, $defs }),
  };
}

/** The Standard Schema that a pipe validates with. */
export function pipeSourceOf(pipe: unknown): StandardSchemaV1 | undefined {
  const { schema, schemaOrDto } = settingsOf(pipe);
  return standardSchemaOf(schema) ?? standardSchemaOf(schemaOrDto);
}

function expectedSchema(pipe: unknown, skipped: SkippedValues | undefined): JsonSchema | undefined {
  const { expectedType, validatorOptions } = settingsOf(pipe);
  return pipe instanceof ValidationPipe && typeof expectedType === 'function'
    ? schemaInGroups(
        expectedType as SchemaType,
        defined({ groups: validatorOptions?.groups, skipped }),
      )
    : undefined;
}
