import { type JsonSchema, ToolDeclarationError } from '../tool';
import { closeObjects } from './close-objects';
import type { Direction } from './direction';

/** @see https://standardschema.dev */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What Standard JSON Schema adds, and what zod has offered as a method before it. */
interface JsonSchemaOffer {
  readonly '~standard': {
    readonly jsonSchema?: Readonly<
      Record<Direction, (options: { readonly target: string }) => Record<string, unknown>>
    >;
  };
  readonly toJSONSchema?: (options: {
    readonly io: Direction;
    readonly target: string;
  }) => Record<string, unknown>;
}

export function isStandardSchema(source: unknown): source is StandardSchemaV1 {
  return (
    ((typeof source === 'object' && source !== null) || typeof source === 'function') &&
    typeof (source as { '~standard'?: { validate?: unknown } })['~standard']?.validate ===
      'function'
  );
}

const TARGET = 'draft-2020-12';

/**
 * A Standard Schema as JSON Schema, with unknown keys refused.
 *
 * @throws ToolDeclarationError where the library offers no JSON Schema, or not for this schema
 */
export function jsonSchemaOf(source: StandardSchemaV1, direction: Direction): JsonSchema {
  const offer = source as StandardSchemaV1 & JsonSchemaOffer;
  const { vendor, jsonSchema } = offer['~standard'];
  try {
    const made = jsonSchema
      ? jsonSchema[direction]({ target: TARGET })
      : offer.toJSONSchema?.({ io: direction, target: TARGET });
    if (made) return direction === 'input' ? closeObjects(made) : made;
  } catch (error) {
    throw new ToolDeclarationError(
      `This ${vendor} schema cannot be said in JSON Schema: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  throw new ToolDeclarationError(
    `Schemas of "${vendor}" offer no JSON Schema. Pass a JSON Schema or a DTO class instead, or a library that implements Standard JSON Schema.`,
  );
}
