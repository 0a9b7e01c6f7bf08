import { defined } from '../../../internal';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../message';
import { type JsonSchema, traitsOf, type ToolTraits } from '../../../tool';
import { foreignSchemaOf, SchemaRefusedError } from './foreign-schema';
import { hasValidHeaderMarks } from './header-marks';
import type { McpClientToolsOptions } from '../options';

const MAX_NAME_CHARS = 256;
const MAX_TITLE_CHARS = 200;
/** Levels that every later reader of a schema can descend, also of the values in it. */
const MAX_LEVELS = 200;

/** A server's claims about the effects of a tool. */
type ToolHints = Partial<Pick<ToolTraits, 'readOnly' | 'destructive' | 'idempotent' | 'openWorld'>>;

/** A tool of a server, checked and converted. */
export interface RemoteTool {
  /** The server's name for it. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly hints: ToolHints;
  /** As the server sent it; the client reads from it which arguments to send as headers. */
  readonly sentInputSchema: JsonObject;
}

/**
 * Reads a tool as a server lists it.
 *
 * @throws SchemaRefusedError saying why it cannot be used
 */
export function remoteToolOf(sent: unknown, maxBytes: number): RemoteTool {
  if (!isJsonObject(sent)) throw new SchemaRefusedError('it is not an object');
  const { name, description, inputSchema, outputSchema } = sent;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARS) {
    throw new SchemaRefusedError(`its name must have 1 to ${MAX_NAME_CHARS} characters`);
  }
  assertDepth([inputSchema, outputSchema]);
  assertSize([description, inputSchema, outputSchema], maxBytes);
  if (!isJsonObject(inputSchema)) throw new SchemaRefusedError('it has no inputSchema');
  if (!hasValidHeaderMarks(inputSchema)) {
    throw new SchemaRefusedError('its "x-mcp-header" marks are not valid');
  }
  const { execution } = sent;
  if (isJsonObject(execution) && execution['taskSupport'] === 'required') {
    throw new SchemaRefusedError('it can only be called as a task, which is not supported');
  }
  const title = titleOf(sent);
  const words = textOf(description) ?? title ?? name;
  return {
    name,
    ...(title !== undefined && { title }),
    description: words,
    inputSchema: foreignSchemaOf(inputSchema, 'inputSchema'),
    ...(isJsonObject(outputSchema) && {
      outputSchema: foreignSchemaOf(outputSchema, 'outputSchema'),
    }),
    hints: hintsOf(sent['annotations']),
    sentInputSchema: inputSchema,
  };
}

function assertDepth(parts: readonly unknown[]): void {
  let level = parts;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) throw new SchemaRefusedError('its schema is nested too deeply');
    level = level.flatMap((part): readonly unknown[] =>
      typeof part === 'object' && part !== null ? Object.values(part) : [],
    );
  }
}

function assertSize(parts: readonly (JsonValue | undefined)[], maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(parts));
  if (bytes > maxBytes) {
    throw new SchemaRefusedError(
      `its schemas and description have ${bytes} bytes; "maxSchemaBytes" of the server allows ${maxBytes}`,
    );
  }
}

function titleOf({ title, annotations }: JsonObject): string | undefined {
  const hinted = isJsonObject(annotations) ? annotations['title'] : undefined;
  return (textOf(title) ?? textOf(hinted))?.slice(0, MAX_TITLE_CHARS);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function hintsOf(annotations: JsonValue | undefined): ToolHints {
  if (!isJsonObject(annotations)) return {};
  const hint = (key: string): boolean | undefined => {
    const value = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
    return typeof value === 'boolean' ? value : undefined;
  };
  return defined({
    readOnly: hint('readOnlyHint'),
    destructive: hint('destructiveHint'),
    idempotent: hint('idempotentHint'),
    openWorld: hint('openWorldHint'),
  });
}

type Options = NonNullable<McpClientToolsOptions['options']>[string];

/**
 * A tool's traits: the application's own options, else the hints of a trusted server. A missing or
 * untrusted hint counts as the most dangerous value.
 */
export function remoteTraitsOf(hints: ToolHints, options: Options, isTrusted: boolean): ToolTraits {
  const believed = isTrusted ? hints : {};
  const readOnly = options.readOnly ?? believed.readOnly ?? false;
  return traitsOf({
    readOnly,
    destructive: options.destructive ?? (!readOnly && (believed.destructive ?? true)),
    idempotent: options.idempotent ?? believed.idempotent ?? false,
    openWorld: options.openWorld ?? believed.openWorld ?? true,
    ...(options.concurrencySafe !== undefined && { concurrencySafe: options.concurrencySafe }),
  });
}

/** Whether the application itself, not the server, says that a call may be repeated. */
export function isRepeatableBy({ readOnly, idempotent }: Options): boolean {
  return readOnly === true || idempotent === true;
}
