import type { DiscoveredTool } from '../../discovery';
import { ANNOTATIONS, pluginMethodOf, resolveRef, returnedKindOf, typesOf } from '../../schema';
import { type BootReport, type JsonSchema, subjectOf, type Tool } from '../../tool';
import { isUndeclared } from '../route';

/** Keywords that do not restrict a value's type. */
const TYPELESS = new Set([...ANNOTATIONS, 'example', 'readOnly', 'writeOnly', '$comment', '$defs']);

/** The depth of the checks. */
const DEEPEST = 4;

/** Reports likely problems of a tool for the model or the caller. */
export function reportDoubts(report: BootReport, tool: Tool, method: DeclaredMethod): void {
  const subject = subjectOf(tool);
  for (const doubt of doubtsOf(tool, method)) report.add(subject, doubt);
  if (hasSpareBody(tool.definition.input_schema)) report.add(subject, SPARE_BODY, SPARE_BODIES);
  const unexplained = unexplainedOf(tool, method);
  if (unexplained !== undefined) report.add(subject, unexplained, UNEXPLAINED);
}

const SPARE_BODY =
  'It takes the request, so the model may send a "body" of unknown fields. Describe it with @ApiBody or input of @Tool, or, if the route only reads its user, replace @Req() with a decorator such as @CurrentUser().';
const SPARE_BODIES =
  'an optional "body" of unknown fields, because they take the request; describe it with @ApiBody or input of @Tool, or replace @Req() with a decorator such as @CurrentUser()';

function doubtsOf({ definition }: Tool, declaration: DeclaredMethod): readonly string[] {
  const { input_schema: input, output_schema: output } = definition;
  const unknown = placesIn(input, saysNothing);
  // An object that says nothing of other fields, as of `@IsObject()` alone, takes any.
  const open = { additionalProperties: true };
  const empty = placesIn(input, (part) => isEmptyObject({ ...open, ...part }));
  const secret = placesIn(input, isShownSecret);
  const undeclared = placesIn(input, (part) => isUndeclared({ ...open, ...part })).filter(
    (place) => place !== 'body' || !hasSpareBody(input),
  );
  return [
    ...(isUndeclared(input)
      ? [
          'Nothing is known of the fields of its input, so the model has to guess them. Decorate the properties of the class that input of @Tool names.',
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `Nothing is known of the type of ${listed(unknown)}, so the model may send anything. Say it with @ToolParam, @ToolField or @ApiProperty.`,
        ]
      : []),
    ...(empty.length > 0
      ? [
          `No property is known of ${listed(empty)}, so only {} is accepted. Decorate the properties of its class, or give it a schema with @ToolParam or @ToolField.`,
        ]
      : []),
    ...(secret.length > 0
      ? [
          `Approvals and transcripts show ${listed(secret)}, although the name suggests a secret. Mark it with sensitive of @ToolParam or @ToolField, or with format: 'password' of @ApiProperty.`,
        ]
      : []),
    ...(undeclared.length > 0
      ? [
          `Nothing is known of the fields of ${listed(undeclared)}, so the model has to guess them. Give it a class with decorated properties, imported without "import type", or say what it takes with input of @Tool.`,
        ]
      : []),
    ...(output === undefined ? [] : resultDoubts(output, declaration)),
  ];
}

function unexplainedOf({ definition }: Tool, method: DeclaredMethod): string | undefined {
  const { input_schema: input } = definition;
  const unexplained = Object.entries(input.properties ?? {})
    .filter(([, property]) => resolveRef(property, input).description === undefined)
    .map(([name]) => name);
  if (unexplained.length === 0) return undefined;
  const isCompiled = pluginMethodOf(method.host, method.methodName) !== undefined;
  return `No description of ${listed(unexplained)}. Give one with ${isCompiled ? 'a comment beside it, @param, ' : ''}@ToolParam, @ToolField, @ApiParam, @ApiQuery or @ApiProperty.`;
}

const UNEXPLAINED =
  'parameters without a description, which @ToolParam, @ToolField, @ApiParam, @ApiQuery or @ApiProperty give';

type DeclaredMethod = Pick<DiscoveredTool, 'host' | 'methodName'>;

function resultDoubts(output: JsonSchema, { host, methodName }: DeclaredMethod): readonly string[] {
  const described = resolveRef(output, output);
  const items = typeof described.items === 'object' ? resolveRef(described.items, output) : {};
  if (isEmptyObject(described) || isEmptyObject(items)) {
    return [
      'Its result is described as an empty object. Decorate the properties of its class, or leave the type out.',
    ];
  }
  const returned = returnedKindOf(host, methodName);
  const isOther = returned !== undefined && returned !== described.type;
  if (!isOther || (described.type !== 'array' && described.type !== 'object')) return [];
  return [
    `Its result is described as an ${described.type}, but the method is declared to return an ${returned}. Correct @ApiResponse, @ToolReturn or output.`,
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
    const { properties = {}, items } = resolved;
    return [
      ...Object.entries(properties).flatMap(([name, property]) =>
        within(property, path === '' ? name : `${path}.${name}`, depth + 1),
      ),
      ...(typeof items === 'object' ? within(items, `${path}[]`, depth + 1) : []),
    ];
  };
  return within(root, '', 0);
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

/** Whether there is a body that the route may not read: it takes the request, perhaps only for its user. */
function hasSpareBody({ properties: { body } = {}, required = [] }: JsonSchema): boolean {
  // Only a whole body of a route has a description and no known fields.
  return body?.description !== undefined && !required.includes('body') && isUndeclared(body);
}

/** An object without known or unknown properties. */
function isEmptyObject(schema: JsonSchema): boolean {
  const told = Object.keys(schema).filter((keyword) => !TYPELESS.has(keyword));
  const { type, properties = {}, additionalProperties = false } = schema;
  return (
    type === 'object' &&
    Object.keys(properties).length === 0 &&
    additionalProperties === false &&
    told.every((keyword) =>
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
