import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type JsonSchema, ToolDeclarationError } from '../tool';
import { typesOf } from './combine';
import { mapSchemas } from './map-schemas';

/** Compiles JSON Schemas. One instance serves all tools; it keeps nothing of what it compiled. */
class JsonSchemaCompiler {
  private readonly ajv = new Ajv2020({
    allErrors: true,
    // Tools' schemas carry OpenAPI's and users' own keywords.
    strict: false,
    ownProperties: true,
    validateSchema: false,
    logger: false,
  });

  constructor() {
    addFormats(this.ajv);
  }

  /** @throws ToolDeclarationError where it is no JSON Schema */
  compile(schema: JsonSchema): ValidateFunction {
    const bounded = withSafeIntegers(schema);
    try {
      return this.ajv.compile(bounded);
    } catch (error) {
      throw new ToolDeclarationError(
        `This JSON Schema cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    } finally {
      // Forgotten at once, so that tools removed at run time leave nothing and `$id`s may recur.
      this.ajv.removeSchema(bounded);
    }
  }
}

let shared: JsonSchemaCompiler | undefined;

/** Made at first use: an application whose model calls no tool never pays for it. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  shared ??= new JsonSchemaCompiler();
  return shared.compile(schema);
}

/** Beyond 2^53 a JSON number is no longer the number that was written. */
function withSafeIntegers(schema: JsonSchema): JsonSchema {
  const bounded = mapSchemas(schema, withSafeIntegers);
  if (!typesOf(schema.type).includes('integer')) return bounded;
  return {
    ...bounded,
    ...(schema.maximum === undefined && { maximum: Number.MAX_SAFE_INTEGER }),
    ...(schema.minimum === undefined && { minimum: Number.MIN_SAFE_INTEGER }),
  };
}
