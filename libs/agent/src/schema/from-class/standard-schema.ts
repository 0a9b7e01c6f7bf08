import { type JsonSchema, ToolDeclarationError } from '../../tool';
import { closeObjects, type Direction, withoutSafeBounds } from '../json-schema';

/**
 * A schema of a library that follows Standard Schema, such as zod. It has to offer its JSON Schema
 * too, as Standard JSON Schema or by a method `toJSONSchema`.
 *
 * @typeParam Input what goes in
 * @typeParam Output what comes out
 * @see https://standardschema.dev
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** What the specification names. */
  readonly '~standard': {
    /** Of the specification. */
    readonly version: 1;
    /** The library's name. */
    readonly vendor: string;
    /** Checks a value, and answers what the schema makes of it. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** For the compiler alone: what goes in, and what comes out. */
    readonly types?:
      | {
          /** What goes in. */
          readonly input: Input;
          /** What comes out. */
          readonly output: Output;
        }
      | undefined;
  };
}

/**
 * What a check of a value comes to.
 *
 * @typeParam Output what comes out
 */
export type StandardResult<Output> =
  | {
      /** What the schema made of the value. */
      readonly value: Output;
      /** Missing where the value fits. */
      readonly issues?: undefined;
    }
  | {
      /** Everything that is wrong with the value. */
      readonly issues: readonly StandardIssue[];
    };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** What is wrong, in words. */
  readonly message: string;
  /** The keys that lead to it, from the outside in; missing for the whole. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** The key itself. */
            readonly key: PropertyKey;
          }
      )[]
    | undefined;
}

/** What Standard JSON Schema adds, and what zod has offered as a method before it. */
interface JsonSchemaOffer {
  readonly '~standard': {
    readonly jsonSchema?: Readonly<
      Record<
        Direction,
        (options: {
          readonly target: string;
          readonly libraryOptions?: object;
        }) => Record<string, unknown>
      >
    >;
  };
  readonly toJSONSchema?: (
    options: { readonly io: Direction; readonly target: string } & object,
  ) => Record<string, unknown>;
}

export function isStandardSchema(source: unknown): source is StandardSchemaV1 {
  return (
    ((typeof source === 'object' && source !== null) || typeof source === 'function') &&
    typeof (source as { '~standard'?: { validate?: unknown } })['~standard']?.validate ===
      'function'
  );
}

/**
 * The Standard Schema that a source is, or that a class carries as its own, as the DTOs of
 * `nestjs-zod` do; `undefined` of any other, and of one that offers no JSON Schema beside its class.
 */
export function standardSchemaOf(source: unknown): StandardSchemaV1 | undefined {
  if (isStandardSchema(source)) return source;
  if (typeof source !== 'function') return undefined;
  const { schema, zodSchema } = source as {
    readonly schema?: unknown;
    readonly zodSchema?: unknown;
  };
  return [schema, zodSchema].filter(isStandardSchema).find(offersJsonSchema);
}

function offersJsonSchema(schema: StandardSchemaV1 & Partial<JsonSchemaOffer>): boolean {
  return schema['~standard'].jsonSchema !== undefined || schema.toJSONSchema !== undefined;
}

const TARGET = 'draft-2020-12';

/** What zod is told where it knows no word for a value: of text, `z.coerce.date()` makes a date. */
const ZOD_OPTIONS = {
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }: ZodOverride) => {
    const { type, coerce } = zodSchema._zod.def;
    if (type !== 'date') return;
    if (coerce !== true) throw new Error('Date cannot be represented in JSON Schema');
    Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  },
};

interface ZodOverride {
  readonly zodSchema: { readonly _zod: { readonly def: { type: string; coerce?: boolean } } };
  readonly jsonSchema: Record<string, unknown>;
}

/**
 * A Standard Schema as JSON Schema, with unknown keys refused.
 *
 * @throws ToolDeclarationError where the library offers no JSON Schema, or not for this schema
 */
export function jsonSchemaOf(source: StandardSchemaV1, direction: Direction): JsonSchema {
  const offer = source as StandardSchemaV1 & JsonSchemaOffer;
  const { vendor, jsonSchema } = offer['~standard'];
  try {
    const options = vendor === 'zod' ? ZOD_OPTIONS : {};
    const made = jsonSchema
      ? jsonSchema[direction]({ target: TARGET, libraryOptions: options })
      : offer.toJSONSchema?.({ io: direction, target: TARGET, ...options });
    const schema = made && withoutSafeBounds(made);
    if (schema) return direction === 'input' ? closeObjects(schema) : schema;
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
