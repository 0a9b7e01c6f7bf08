import { hasWrittenTypes, NO_EMITTED_TYPES } from '../../decorators';
import type { DiscoveredTool } from '../../discovery';
import {
  ANNOTATIONS,
  documentationProblem,
  pluginMethodOf,
  resolveRef,
  returnedKindOf,
  typesOf,
} from '../../schema';
import { type BootReport, type JsonSchema, subjectOf, type Tool } from '../../tool';
import { isUndeclared, takesBody } from '../route';

/** Keywords that do not restrict a value's type. */
const TYPELESS = new Set([...ANNOTATIONS, 'example', 'readOnly', 'writeOnly', '$comment', '$defs']);

/** The depth of the checks. */
const DEEPEST = 4;

/** A likely problem and its remedy. */
interface Warning {
  readonly text: string;
  /** What tools with this warning have, for one line about many of them. */
  readonly summary?: string;
}

/** Reports likely problems of a tool for the model or the caller. */
export function reportWarnings(report: BootReport, tool: Tool, method: DeclaredMethod): void {
  for (const { text, summary } of warningsOf(tool, method))
    report.add(subjectOf(tool), text, summary);
}

function warningsOf(tool: Tool, method: DeclaredMethod): readonly Warning[] {
  const { input_schema: input, output_schema: output } = tool.definition;
  const isSpare = hasSpareBody(input) && !takesBody(method.host, method.methodName);
  const unknown = inputWarnings(input, isSpare);
  return [
    ...unknown,
    ...(unknown.length > 0 && !hasWrittenTypes(method.host, method.methodName) ? [UNTYPED] : []),
    ...lengthWarnings(input),
    ...(output === undefined ? unusableResultOf(method) : resultWarnings(output, method)),
    ...(isSpare ? [SPARE_BODY] : []),
    ...(isNamedByBundler(method) ? [SHORTENED] : []),
    ...unexplainedOf(input, method),
  ];
}

const UNTYPED: Warning = {
  text: `${NO_EMITTED_TYPES} Of a method that a library makes at run time, say what it takes with input of @Tool.`,
  summary:
    'no types from the compiler; set emitDecoratorMetadata in tsconfig.json, and compile with tsc or SWC: tsx and esbuild write none. Of methods that a library makes at run time, say what they take with input of @Tool',
};

const SPARE_BODY: Warning = {
  text: 'It takes the request, so the model may send a "body" of unknown fields. Describe it with @ApiBody or input of @Tool, or, if the route only reads its user, replace @Req() with a decorator such as @CurrentUser().',
  summary:
    'an optional "body" of unknown fields, because they take the request; describe it with @ApiBody or input of @Tool, or replace @Req() with a decorator such as @CurrentUser()',
};

const SHORTENED: Warning = {
  text: "Its class has a name that a bundler shortened, so the tool's name may change with each build. Keep the names of classes (--keep-names of esbuild, keep_classnames of Terser), or set name in @Tool.",
  summary:
    'names of classes that a bundler shortened, which may change with each build; keep them (--keep-names of esbuild, keep_classnames of Terser), or set name in @Tool',
};

const UNKNOWN_FIELDS =
  'objects of unknown fields, which the model has to guess; give them classes, imported without "import type", with decorated properties or described by the compiler plugin, or a pipe with a schema that offers JSON Schema, as zod does since 4.2, or say what they take with input of @Tool';

function inputWarnings(input: JsonSchema, isSpare: boolean): readonly Warning[] {
  const unknown = placesIn(input, saysNothing);
  // An object without `additionalProperties`, as of `@IsObject()` alone, accepts any field.
  const open = { additionalProperties: true };
  const empty = placesIn(input, (part) => isEmptyObject({ ...open, ...part }));
  const secret = placesIn(input, isShownSecret);
  const impossible = placesIn(input, (part) => JSON.stringify(part.not) === '{}');
  const undeclared = placesIn(input, (part) => isUndeclared({ ...open, ...part })).filter(
    (place) => place !== 'body' || !isSpare,
  );
  return [
    ...(isUndeclared(input)
      ? [
          {
            text: 'Nothing is known of the fields of its input, so the model has to guess them. Decorate the properties of the class that input of @Tool names.',
            summary: UNKNOWN_FIELDS,
          },
        ]
      : []),
    ...about(unknown, (places) => ({
      text: `Nothing is known of the type of ${places}, so the model may send anything. Say it with @ToolParam, @ToolField or @ApiProperty.`,
      summary:
        'arguments of unknown type, so the model may send anything; say the type with @ToolParam, @ToolField or @ApiProperty',
    })),
    ...about(empty, (places) => ({
      text: `No property is known of ${places}, so only {} is accepted. Decorate the properties of its class, or give it a schema with @ToolParam or @ToolField.`,
    })),
    ...about(secret, (places) => ({
      text: `Approvals and transcripts show ${places}, although the name suggests a secret. Mark it with sensitive of @ToolParam or @ToolField, format: 'password' of @ApiProperty, or .meta({ writeOnly: true }) of zod.`,
      summary:
        "arguments named like secrets, which approvals and transcripts show; mark them with sensitive of @ToolParam or @ToolField, format: 'password' of @ApiProperty, or .meta({ writeOnly: true }) of zod",
    })),
    ...about(impossible, (places) => ({
      text: `No value fits ${places}, so every call with it is refused. Correct its validators.`,
    })),
    ...about(undeclared, (places) => ({
      text: `Nothing is known of the fields of ${places}, so the model has to guess them. Give it a class, imported without "import type", with decorated properties or described by the compiler plugin, or a pipe with a schema that offers JSON Schema, as zod does since 4.2, or say what it takes with input of @Tool.`,
      summary: UNKNOWN_FIELDS,
    })),
  ];
}

/** The length of an input schema, in characters of JSON, above which it is reported: about 4 000 tokens. */
const LONG_SCHEMA = 16_000;

function lengthWarnings(input: JsonSchema): readonly Warning[] {
  const { length } = JSON.stringify(input);
  if (length <= LONG_SCHEMA) return [];
  return [
    {
      text: `Its input schema has ${Math.round(length / 1_000)} kB, which makes requests to the model long. Name a smaller class with input of @Tool, or set tools: { details: 'onDemand' }.`,
      summary:
        "long input schemas, which make requests to the model long; name smaller classes with input of @Tool, or set tools: { details: 'onDemand' }",
    },
  ];
}

function unexplainedOf(
  input: JsonSchema,
  { host, methodName }: DeclaredMethod,
): readonly Warning[] {
  const unexplained = Object.entries(input.properties ?? {})
    .filter(([, property]) => resolveRef(property, input).description === undefined)
    .map(([name]) => name);
  const isCompiled = pluginMethodOf(host, methodName) !== undefined;
  return about(unexplained, (names) => ({
    text: `No description of ${names}. Give one with ${isCompiled ? 'a comment beside it, @param, ' : ''}@ToolParam, @ToolField, @ApiParam, @ApiQuery, @ApiProperty or .describe() of zod.`,
    summary:
      'parameters without a description, which @ToolParam, @ToolField, @ApiParam, @ApiQuery, @ApiProperty or .describe() of zod give',
  }));
}

/** The warning about some places or names, if there are any. */
function about(
  places: readonly string[],
  warning: (listed: string) => Warning,
): readonly Warning[] {
  return places.length === 0 ? [] : [warning(listed(places))];
}

type DeclaredMethod = Pick<DiscoveredTool, 'host' | 'methodName' | 'options'> &
  Partial<Pick<DiscoveredTool, 'kind'>>;

function unusableResultOf({ host, methodName }: DeclaredMethod): readonly Warning[] {
  const problem = documentationProblem(host, methodName);
  if (problem === undefined) return [];
  // It may end with the words of a foreign error.
  const reason = /[.!?]$/.test(problem) ? problem : `${problem}.`;
  return [
    {
      text: `The documentation of its result is left out: ${reason} Correct @ApiResponse or the return type, or say it with output of @Tool.`,
    },
  ];
}

function resultWarnings(
  output: JsonSchema,
  { host, methodName }: DeclaredMethod,
): readonly Warning[] {
  const described = resolveRef(output, output);
  const items = typeof described.items === 'object' ? resolveRef(described.items, output) : {};
  if (isEmptyObject(described) || isEmptyObject(items)) {
    return [
      {
        text: 'Its result is described as an empty object. Decorate the properties of its class, or leave the type out.',
      },
    ];
  }
  const returned = returnedKindOf(host, methodName);
  const isOther = returned !== undefined && returned !== described.type;
  if (!isOther || (described.type !== 'array' && described.type !== 'object')) return [];
  return [
    {
      text: `Its result is described as an ${described.type}, but the method is declared to return an ${returned}. Correct @ApiResponse, @ToolReturn or output.`,
    },
  ];
}

/** Paths of such parts in a schema: `filter`, `lines[].price`. */
function placesIn(
  root: JsonSchema,
  isMeant: (part: JsonSchema, path: string) => boolean,
): readonly string[] {
  // Classes that refer to many others have paths without number, so each is entered again only nearer to the root.
  const entered = new Map<string, number>();
  const within = (part: JsonSchema, path: string, depth: number): readonly string[] => {
    if (depth > DEEPEST) return [];
    const resolved = resolveRef(part, root);
    if (depth > 0 && isMeant(resolved, path)) return [path];
    if (part.$ref !== undefined) {
      if ((entered.get(part.$ref) ?? Infinity) <= depth) return [];
      entered.set(part.$ref, depth);
    }
    const { properties = {}, items = unknownItems(resolved) } = resolved;
    return [
      ...Object.entries(properties).flatMap(([name, property]) =>
        within(property, path === '' ? name : `${path}.${name}`, depth + 1),
      ),
      ...(typeof items === 'object' ? within(items, `${path}[]`, depth + 1) : []),
    ];
  };
  return within(root, '', 0);
}

/** A list without a schema of its members accepts any. */
function unknownItems({ type, prefixItems, maxItems }: JsonSchema): JsonSchema | undefined {
  const isAny = type === 'array' && prefixItems === undefined && maxItems !== 0;
  return isAny ? {} : undefined;
}

function saysNothing(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => TYPELESS.has(keyword));
}

/** Names of secrets, without their separators. */
const SECRET = /(passw(or)?d|passphrase|secret|apikey|^token|(access|refresh|id|auth)token)$/;

function isShownSecret({ writeOnly, type }: JsonSchema, path: string): boolean {
  const name = path.split('.').at(-1) ?? '';
  // `resetPassword: boolean` holds none.
  const mayHold = type === undefined || typesOf(type).includes('string');
  return mayHold && writeOnly !== true && SECRET.test(name.replace(/[_-]/g, '').toLowerCase());
}

/** Whether a route's tool has the name of a class of one or two letters. */
function isNamedByBundler({ kind, host, options }: DeclaredMethod): boolean {
  return kind === 'route' && options.name === undefined && /^.{1,2}$/.test(host.name);
}

/** Whether there is an optional body of unknown fields: one of a route that takes the request, perhaps only for its user. */
function hasSpareBody({ properties: { body } = {}, required = [] }: JsonSchema): boolean {
  // Only a whole body of a route has a description and no known fields.
  return body?.description !== undefined && !required.includes('body') && isUndeclared(body);
}

/** An object without known or unknown properties. */
function isEmptyObject(schema: JsonSchema): boolean {
  const keywords = Object.keys(schema).filter((keyword) => !TYPELESS.has(keyword));
  const { type, properties = {}, additionalProperties = false } = schema;
  return (
    type === 'object' &&
    Object.keys(properties).length === 0 &&
    additionalProperties === false &&
    keywords.every((keyword) =>
      ['type', 'properties', 'required', 'additionalProperties'].includes(keyword),
    )
  );
}

const MOST_NAMED = 8;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
