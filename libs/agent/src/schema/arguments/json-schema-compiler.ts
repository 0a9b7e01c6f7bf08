import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020';
import { messageOf } from '../../internal';
import { type JsonSchema, ToolDeclarationError } from '../../tool';
import { mapSchemas, typesOf, withUnicodePatterns } from '../json-schema';
import { OWN_KEYWORDS, withOwnKeywords } from './own-keywords';

const OPTIONS = {
  // Errors carry the refused value.
  verbose: true,
  // Tools' schemas carry OpenAPI's and users' own keywords.
  strict: false,
  ownProperties: true,
  validateSchema: false,
  logger: false,
} as const;

/** Compiles JSON Schemas. One instance serves all tools, and keeps no compiled schema. */
class JsonSchemaCompiler {
  private readonly ajv: Ajv2020;
  /** Addresses of the meta-schemas. */
  private readonly known: ReadonlySet<string>;

  constructor(allErrors: boolean) {
    const { Ajv2020, addFormats } = loadAjv();
    this.ajv = new Ajv2020({ ...OPTIONS, allErrors });
    addFormats(this.ajv);
    // The package's own expression takes seconds for some thousand characters.
    this.ajv.addFormat('url', isUrl);
    // Accepts international addresses; class-validator decides.
    this.ajv.addFormat('email', /^(?:"[^"\n]*"|[^\s"@]+)@[^\s@.]+(?:\.[^\s@.]+)+$/);
    for (const keyword of OWN_KEYWORDS) this.ajv.addKeyword(keyword);
    this.known = new Set(Object.keys(this.ajv.refs));
  }

  /** @throws ToolDeclarationError if it is no JSON Schema */
  compile(schema: JsonSchema): ValidateFunction {
    let checked: JsonSchema | undefined;
    try {
      checked = checkable(schema);
      return this.ajv.compile(checked);
    } catch (error) {
      throw new ToolDeclarationError(`This JSON Schema cannot be used: ${messageOf(error)}`, {
        cause: error,
      });
    } finally {
      // Removed at once, so that tools removed at run time leak nothing and an `$id` may recur.
      if (checked) this.ajv.removeSchema(checked);
      // The `$id`s of its parts.
      for (const ref of Object.keys(this.ajv.refs))
        if (!this.known.has(ref)) this.ajv.removeSchema(ref);
    }
  }
}

/** Loaded by the first compiler: the import of the package does without. */
function loadAjv() {
  const { Ajv2020 } = require('ajv/dist/2020') as typeof import('ajv/dist/2020');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  return { Ajv2020, addFormats };
}

// Made by the first check: an application whose model calls no tool does without.
let whole: JsonSchemaCompiler | undefined;
let first: JsonSchemaCompiler | undefined;

/** A function that finds all errors of a value. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  whole ??= new JsonSchemaCompiler(true);
  return whole.compile(schema);
}

/** A function that finds the first error of a value. */
export function compileFirstFinder(schema: JsonSchema): ValidateFunction {
  first ??= new JsonSchemaCompiler(false);
  return first.compile(schema);
}

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}

/**
 * The schema for the compiler: with safe integers, our own keywords, and Unicode patterns. Every
 * part is a separate object, because errors refer to their part by identity.
 */
function checkable(schema: JsonSchema): JsonSchema {
  const inside = withOwnKeywords(mapSchemas(schema, checkable));
  const bounded = typesOf(schema.type).includes('integer') ? withSafeBounds(inside) : inside;
  return { ...withUnicodePatterns(bounded) };
}

/** Beyond 2^53, parsing changes a JSON number. */
function withSafeBounds(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(schema.maximum === undefined && { maximum: Number.MAX_SAFE_INTEGER }),
    ...(schema.minimum === undefined && { minimum: Number.MIN_SAFE_INTEGER }),
  };
}
