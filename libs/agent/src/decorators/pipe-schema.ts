import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
} from '@nestjs/common';
import { enumSchema, enumValues, schemaOf } from '../schema';
import type { JsonSchema } from '../tool';
import type { ToolPipe } from './metadata';

/** What a parameter's pipes say of the value they take from the model. */
export interface PipeSchema {
  /** `undefined` where no pipe says anything of the type. */
  readonly schema?: JsonSchema;
  readonly isOptional: boolean;
  readonly default?: unknown;
}

const INTEGER: JsonSchema = { type: ['integer', 'string'], pattern: '^-?\\d+$' };
const FLOAT: JsonSchema = { type: ['number', 'string'], pattern: '^\\s*[+-]?(\\d|\\.\\d)' };
const BOOLEAN: JsonSchema = { type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] };
const HEX = '[0-9a-fA-F]';

const NO_PIPES: PipeSchema = { isOptional: false };

/**
 * Reads Nest's own pipes. They convert text, so text is taken where they would take it; the plain
 * type stands first.
 */
export function pipeSchemaOf(pipes: readonly ToolPipe[]): PipeSchema {
  if (pipes.length === 0) return NO_PIPES;
  let schema: JsonSchema | undefined;
  let isOptional = false;
  let fallback: unknown;
  for (const pipe of pipes) {
    const named = typeof pipe === 'function' ? pipe : pipe.constructor;
    if (pipe instanceof DefaultValuePipe) {
      fallback = (pipe as unknown as { readonly defaultValue: unknown }).defaultValue;
      isOptional = true;
      continue;
    }
    const settings = typeof pipe === 'function' ? {} : (pipe as unknown as PipeSettings);
    if (settings.options?.optional === true) isOptional = true;
    schema ??= schemaOfPipe(named, settings);
  }
  return {
    ...(schema && { schema }),
    isOptional,
    ...(fallback !== undefined && { default: fallback }),
  };
}

/** What Nest's pipes keep of their options. */
interface PipeSettings {
  readonly options?: {
    readonly optional?: boolean;
    readonly items?: unknown;
    readonly separator?: string;
  };
  readonly enumType?: unknown;
  readonly version?: string;
}

function schemaOfPipe(pipe: unknown, settings: PipeSettings): JsonSchema | undefined {
  switch (pipe) {
    case ParseIntPipe:
      return INTEGER;
    case ParseFloatPipe:
      return FLOAT;
    case ParseBoolPipe:
      return BOOLEAN;
    case ParseUUIDPipe:
      return {
        type: 'string',
        pattern: `^${HEX}{8}-${HEX}{4}-${settings.version ?? HEX}${HEX}{3}-${HEX}{4}-${HEX}{12}$`,
        description: settings.version ? `UUID v${settings.version}` : 'UUID',
      };
    case ParseEnumPipe:
      return enumSchema(enumValues(settings.enumType));
    case ParseArrayPipe: {
      const { items } = settings.options ?? {};
      const { $defs, ...item } =
        typeof items === 'function' ? schemaOf(items as typeof String) : {};
      return { type: 'array', items: item, ...($defs && { $defs }) };
    }
    default:
      // `ParseDatePipe` is younger than the oldest Nest this library supports.
      return (pipe as { readonly name?: string }).name === 'ParseDatePipe'
        ? schemaOf(Date)
        : undefined;
  }
}
