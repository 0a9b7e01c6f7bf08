import { messageOf } from '../../internal';
import { type JsonSchema, ToolDeclarationError } from '../../tool';
import {
  closeObjects,
  type Direction,
  patternOf,
  someSchema,
  withoutLongPatterns,
  withoutSafeBounds,
} from '../json-schema';
import { builtinSchema, DATE_AS_TEXT } from './type-schema';

/**
 * A schema of a library that follows Standard Schema, such as zod. It has to offer its JSON Schema
 * too, as Standard JSON Schema or by a method `toJSONSchema`.
 *
 * @typeParam Input the type of the input
 * @typeParam Output the type of the validated value
 * @see https://standardschema.dev
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** The specification's properties. */
  readonly '~standard': {
    /** The version of the specification. */
    readonly version: 1;
    /** The library's name. */
    readonly vendor: string;
    /** Validates and converts a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Input and output types, for the compiler only. */
    readonly types?:
      | {
          /** The type of the input. */
          readonly input: Input;
          /** The type of the output. */
          readonly output: Output;
        }
      | undefined;
  };
}

/**
 * The result of a validation.
 *
 * @typeParam Output the type of the validated value
 */
export type StandardResult<Output> =
  | {
      /** The converted value. */
      readonly value: Output;
      /** Absent for a valid value. */
      readonly issues?: undefined;
    }
  | {
      /** The problems of the value. */
      readonly issues: readonly StandardIssue[];
    };

/** One problem of a value. */
export interface StandardIssue {
  /** The problem in words. */
  readonly message: string;
  /** The keys from the root to the value; absent for the root. */
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

/** The additions of Standard JSON Schema, and the method that zod has beside them. */
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
 * A source as a Standard Schema, or the one that a class carries, as the DTOs of `nestjs-zod` do;
 * `undefined` for other sources, and for a carried schema without JSON Schema.
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

/** Whether a schema's library gives its JSON Schema, as zod does since 4.2. */
export function offersJsonSchema(schema: StandardSchemaV1 & Partial<JsonSchemaOffer>): boolean {
  return schema['~standard'].jsonSchema !== undefined || schema.toJSONSchema !== undefined;
}

/**
 * Whether a schema declares its value optional, as zod's do. Calling it with a missing value
 * would run the application's checks at boot.
 */
export function takesMissing(source: StandardSchemaV1): boolean {
  const { _zod: zod } = source as Partial<ZodSchema>;
  return zod !== undefined && isOptional(zod);
}

function isOptional({ def, optin }: ZodInternals): boolean {
  if (def.in === undefined) return optin !== undefined || ANYTHING.has(def.type);
  // `z.preprocess()` puts a transformation in front, which is optional even if the schema behind it is not.
  const asked = def.in._zod.def.type === 'transform' ? def.out : def.in;
  return asked !== undefined && isOptional(asked._zod);
}

/** Types that take `undefined` too; zod refuses it only as a missing key of an object. */
const ANYTHING: ReadonlySet<string> = new Set(['any', 'unknown']);

const TARGET = 'draft-2020-12';

/** What `z.coerce` takes of JSON for types that JSON has not. */
const COERCED: Readonly<Record<string, { readonly type: unknown; readonly input?: JsonSchema }>> = {
  date: { type: Date, input: DATE_AS_TEXT },
  bigint: { type: BigInt },
};

/** Wrappers of zod that also accept a missing value or null. */
const TAKES_NOTHING: ReadonlySet<string> = new Set(['optional', 'nullable', 'default', 'prefault']);

/**
 * Describes dates and bigints, which JSON lacks, as the input of `z.coerce`, and finds those that no
 * JSON value fits. Whether an alternative fits in their place is known only at the end.
 */
class ZodTypes {
  /** The types that no JSON fits, by their place. */
  private readonly refused = new Map<string, string>();
  /** Places that take other values, too. */
  private readonly open = new Set<string>();
  /** Places that may be empty. */
  private readonly optional = new Set<string>();
  /** Places whose value is the result of a function; zod describes them by that result. */
  private readonly made = new Set<string>();

  constructor(private readonly direction: Direction) {}

  get options(): object {
    return { unrepresentable: 'any', override: this.override };
  }

  /** @throws Error for a type that no JSON fits */
  assertTaken(): void {
    for (const [place, type] of this.refused) {
      if (this.open.has(place) || [...this.made].some((outer) => place.startsWith(outer))) continue;
      // A date is refused even so: an optional one that the model cannot send would go unnoticed.
      if (type === 'bigint' && this.optional.has(place)) continue;
      const where = place === '' ? '' : ` at ${place.slice(0, -1)}`;
      throw new Error(`z.${type}()${where} refuses every value of JSON. Take z.coerce.${type}().`);
    }
  }

  private readonly override = ({ zodSchema, jsonSchema, path }: ZodOverride): void => {
    const { def } = zodSchema._zod;
    const place = placeOf(path);
    const patterns = [zodSchema, ...(def.checks ?? [])].flatMap((of) => of._zod.def.pattern ?? []);
    // JSON Schema has no flags: without them, a pattern refuses what the schema accepts.
    if (patterns.some((pattern) => !patternOf(pattern))) {
      delete jsonSchema.pattern;
      delete jsonSchema.allOf;
    }
    if (def.type === 'catch') this.open.add(place);
    if (TAKES_NOTHING.has(def.type)) this.optional.add(place);
    if (def.in?._zod.def.type === 'transform') this.made.add(place);
    if (def.options?.some((option) => !this.isRefused(option)) === true) {
      for (const key of ['anyOf', 'oneOf'])
        def.options.forEach((_, index) => this.open.add(placeOf([...path, key, index])));
    }
    const coerced = COERCED[def.type];
    if (coerced === undefined) return;
    if (this.isRefused(zodSchema)) {
      this.refused.set(place, def.type);
      return;
    }
    const { direction } = this;
    const said =
      (direction === 'input' && coerced.input) || builtinSchema(coerced.type, direction, place);
    // Its own description and examples take precedence.
    Object.assign(jsonSchema, { ...said, ...jsonSchema });
  };

  private isRefused({ _zod: { def } }: ZodSchema): boolean {
    return this.direction === 'input' && COERCED[def.type] !== undefined && def.coerce !== true;
  }
}

/** With a slash at the end, so that a place within another begins with it. */
function placeOf(path: readonly (string | number)[]): string {
  return path.map((key) => `${key}/`).join('');
}

/** A schema of zod 4. */
export interface ZodSchema {
  readonly _zod: ZodInternals;
}

export interface ZodInternals {
  readonly def: {
    readonly type: string;
    readonly coerce?: boolean;
    readonly pattern?: RegExp;
    readonly checks?: readonly ZodSchema[];
    /** Of a pipe. */
    readonly in?: ZodSchema;
    readonly out?: ZodSchema;
    /** Of an optional type. */
    readonly innerType?: ZodSchema;
    /** Of a union. */
    readonly options?: readonly ZodSchema[];
    /** Of a list. */
    readonly element?: ZodSchema;
    /** Of an object. */
    readonly shape?: Readonly<Record<string, ZodSchema>>;
  };
  /** How a missing value is taken; absent if it is not. */
  readonly optin?: string;
}

interface ZodOverride {
  readonly zodSchema: ZodSchema;
  readonly jsonSchema: Record<string, unknown>;
  readonly path: readonly (string | number)[];
}

/**
 * A Standard Schema as JSON Schema. Unknown keys of an input are refused.
 *
 * @param side the schema's side that the value is of: a codec encodes an output to its input
 * @throws ToolDeclarationError if the library offers no JSON Schema, or none for this schema
 */
export function jsonSchemaOf(
  source: StandardSchemaV1,
  direction: Direction,
  side = direction,
): JsonSchema {
  const offer = source as StandardSchemaV1 & JsonSchemaOffer;
  const { vendor, jsonSchema } = offer['~standard'];
  try {
    const zod = vendor === 'zod' ? new ZodTypes(direction) : undefined;
    const options = zod?.options ?? {};
    const made = jsonSchema
      ? jsonSchema[side]({ target: TARGET, libraryOptions: options })
      : offer.toJSONSchema?.({ io: side, target: TARGET, ...options });
    zod?.assertTaken();
    const schema = made && withoutLongPatterns(withoutSafeBounds(rootOf(made)));
    if (schema) return direction === 'input' ? closeObjects(schema) : schema;
  } catch (error) {
    throw new ToolDeclarationError(
      `This ${vendor} schema cannot be said in JSON Schema: ${messageOf(error)}`,
      { cause: error },
    );
  }
  throw new ToolDeclarationError(
    `Schemas of "${vendor}" offer no JSON Schema. ${remedyFor(source)}`,
  );
}

/** The schema itself where it only refers to a definition, as one of zod that has an `id` does. */
function rootOf(schema: JsonSchema): JsonSchema {
  const { $ref = '', $defs = {}, ...own } = schema;
  const name = /^#\/\$defs\/([^/~%]+)$/.exec($ref)?.[1] ?? '';
  if (!Object.hasOwn($defs, name)) return schema;
  const { [name]: root, ...others } = $defs;
  const refers = (part: JsonSchema): boolean => part.$ref === $ref || someSchema(part, refers);
  // A root that contains itself stays a definition, too.
  const needed = refers({ ...root, $defs: others }) ? $defs : others;
  return { ...root, ...own, ...(Object.keys(needed).length > 0 && { $defs: needed }) };
}

function remedyFor(source: StandardSchemaV1): string {
  if (source['~standard'].vendor !== 'zod')
    return 'Pass a JSON Schema or a DTO class instead, or a library that implements Standard JSON Schema.';
  // "zod/v4" of zod 3.25 offers none either.
  return '_zod' in source
    ? 'It needs zod 4.2 or newer, and not zod/mini.'
    : 'This one is of zod 3: install zod 4.2 or newer, or convert it with zod-to-json-schema.';
}
