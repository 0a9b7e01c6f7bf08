import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020';
import { type JsonSchema, ToolDeclarationError } from '../../tool';
import { mapSchemas, typesOf, unicodePattern, withSafeBounds } from '../json-schema';
import { OWN_KEYWORDS, withOwnKeywords } from './own-keywords';

const OPTIONS = {
  // Errors carry the value that they are about.
  verbose: true,
  // Tools' schemas carry OpenAPI's and users' own keywords.
  strict: false,
  ownProperties: true,
  validateSchema: false,
  logger: false,
} as const;

/** Compiles JSON Schemas. One instance serves all tools; it keeps nothing of what it compiled. */
class JsonSchemaCompiler {
  private readonly ajv: Ajv2020;

  constructor(allErrors: boolean) {
    const { Ajv2020: Ajv } = require('ajv/dist/2020') as typeof import('ajv/dist/2020');
    const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
    this.ajv = new Ajv({ ...OPTIONS, allErrors });
    addFormats(this.ajv);
    // The expression that the package brings takes seconds on a text of some thousand characters.
    this.ajv.addFormat('url', isUrl);
    // International addresses are addresses, too; whether one is right, class-validator asks.
    this.ajv.addFormat('email', /^(?:"[^"\n]*"|[^\s"@]+)@[^\s@.]+(?:\.[^\s@.]+)+$/);
    for (const keyword of OWN_KEYWORDS) this.ajv.addKeyword(keyword);
  }

  /** @throws ToolDeclarationError where it is no JSON Schema */
  compile(schema: JsonSchema): ValidateFunction {
    let checked: JsonSchema | undefined;
    try {
      checked = checkable(schema);
      return this.ajv.compile(checked);
    } catch (error) {
      throw new ToolDeclarationError(
        `This JSON Schema cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    } finally {
      // Forgotten at once, so that tools removed at run time leave nothing and `$id`s may recur.
      if (checked) this.ajv.removeSchema(checked);
    }
  }
}

// Made at first use: an application whose model calls no tool never pays for them.
let whole: JsonSchemaCompiler | undefined;
let first: JsonSchemaCompiler | undefined;

/** What finds everything that is wrong with a value. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  whole ??= new JsonSchemaCompiler(true);
  return whole.compile(schema);
}

/** What finds the first thing that is wrong with a value. */
export function compileFirstFinder(schema: JsonSchema): ValidateFunction {
  first ??= new JsonSchemaCompiler(false);
  return first.compile(schema);
}

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** The schema as it is checked: with safe integers, our own keywords, and patterns of Unicode. */
function checkable(schema: JsonSchema): JsonSchema {
  const inside = withOwnKeywords(mapSchemas(schema, checkable));
  const bounded = typesOf(schema.type).includes('integer') ? withSafeBounds(inside) : inside;
  const { pattern, patternProperties } = bounded;
  if (pattern === undefined && patternProperties === undefined) return bounded;
  return {
    ...bounded,
    ...(typeof pattern === 'string' && { pattern: unicodePattern(pattern) ?? ANY_TEXT }),
    ...(patternProperties !== undefined && {
      patternProperties: Object.fromEntries(
        Object.entries(patternProperties as object).map(([key, part]: [string, unknown]) => [
          unicodePattern(key) ?? ANY_TEXT,
          part,
        ]),
      ),
    }),
  };
}

/** What no pattern can say is not checked here. */
const ANY_TEXT = '';
