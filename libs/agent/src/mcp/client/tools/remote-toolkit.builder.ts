import { printable, canonicalJson, shortHash, nameRule } from '../../../internal';
import { SchemaValidator } from '../../../schema';
import type { RuntimeToolkit } from '../../../registry';
import {
  toToolName,
  type Permission,
  type Tool,
  type ToolInvocation,
  strictest,
} from '../../../tool';
import type { ServerSettings, McpClientToolsOptions } from '../options';
import { isAffordable } from './expansions';
import { argumentsSchemaOf, withoutKeys } from './foreign-schema';
import { remoteToolOf, type RemoteTool, isRepeatableBy, remoteTraitsOf } from './remote-tool';

/** The application's choices about a server's tools, by the server's own names. */
class RemoteToolChoices {
  readonly isWanted: (name: string) => boolean;

  constructor(private readonly options: McpClientToolsOptions) {
    this.isWanted = nameRule(options);
  }

  /** The name without the prefix. */
  nameOf(name: string): string {
    return own(this.options.rename, name) ?? name;
  }

  optionsOf(name: string): ToolOptions {
    return own(this.options.options, name) ?? {};
  }

  /** Exact names in the options that match no tool; probably misspelled. */
  unknownNames(names: readonly string[]): readonly string[] {
    const { include = [], exclude = [], rename = {}, options = {} } = this.options;
    const given = [...include, ...exclude, ...Object.keys(rename), ...Object.keys(options)];
    return [...new Set(given)].filter((name) => !name.includes('*') && !names.includes(name));
  }
}

/** Maximum number of registry names to remember; further ones count as changed. */
const MOST = 10_000;

const DIGITS = 32;

/**
 * Remembers each tool as it was first listed under a name of the registry. A server may offer a
 * harmless tool until a user allows it, and then change it, or replace it by another tool whose
 * name becomes the same in the registry.
 */
class FirstSeenTools {
  private readonly digests = new Map<string, string>();

  /**
   * Whether the server's own name, the description or a schema differs from the first time.
   *
   * @param registered the whole name in the registry
   */
  isChanged(registered: string, tool: RemoteTool): boolean {
    const { name, title, description, inputSchema, outputSchema } = tool;
    const digest = shortHash(
      canonicalJson([name, title, description, inputSchema, outputSchema]),
      DIGITS,
    );
    const first = this.digests.get(registered);
    if (first !== undefined) return first !== digest;
    if (this.digests.size >= MOST) return true;
    this.digests.set(registered, digest);
    return false;
  }
}

const MAX_INSTRUCTION_CHARS = 2_000;
const MAX_SHOWN_CHARS = 80;
/** Options that this builder reads; they are not passed to the tool unchanged. */
const READ_HERE = [
  'permission',
  'readOnly',
  'destructive',
  'idempotent',
  'openWorld',
  'concurrencySafe',
  'timeoutMs',
] as const;

/** Calls a server's tool. */
export type RemoteCaller = (
  tool: RemoteTool,
  invocation: ToolInvocation,
  timeoutMs: number,
) => Promise<unknown>;

interface BuilderSurroundings {
  readonly call: RemoteCaller;
  /** Whether a tool of another source has the name. */
  readonly isTaken: (name: string) => boolean;
  /** Masks secrets: before a text is cut, since the part that is left is not found. */
  readonly mask: (text: string) => string;
  /** Logs a problem once. */
  readonly warn: (problem: string) => void;
}

/** Builds a toolkit from a server's list of tools. */
export class RemoteToolkitBuilder {
  private readonly firstSeen = new FirstSeenTools();
  readonly choices: RemoteToolChoices;

  constructor(
    private readonly settings: ServerSettings,
    private readonly surroundings: BuilderSurroundings,
  ) {
    this.choices = new RemoteToolChoices(settings.tools);
  }

  /** The toolkit of all tools that can be used; the others are logged. */
  build(listed: readonly unknown[], instructions?: string): RuntimeToolkit {
    const { name, prefix } = this.settings;
    const text = this.instructionsOf(instructions);
    return {
      name,
      description: `Tools of the MCP server "${name}"`,
      prefix: plainName(prefix),
      ...(text !== undefined && { instructions: text }),
      tools: this.toolsOf(listed),
    };
  }

  private toolsOf(listed: readonly unknown[]): readonly Tool[] {
    const { warn, isTaken } = this.surroundings;
    const tools = new Map<string, Tool>();
    for (const sent of listed) {
      const remote = this.read(sent);
      if (remote === undefined) continue;
      const name = plainName(this.choices.nameOf(remote.name));
      const full = toToolName(plainName(this.settings.prefix) + name);
      if (tools.has(full) || isTaken(full)) {
        warn(`The tool ${this.shown(remote.name)} is left out: another tool is named "${full}".`);
        continue;
      }
      tools.set(full, this.toolOf(remote, name, full));
    }
    return [...tools.values()];
  }

  private read(sent: unknown): RemoteTool | undefined {
    try {
      return remoteToolOf(sent, this.settings.maxSchemaBytes);
    } catch (error) {
      const name = typeof sent === 'object' && sent !== null && 'name' in sent ? sent.name : '';
      const reason =
        error instanceof Error
          ? this.surroundings.mask(error.message).slice(0, 500)
          : 'it cannot be read';
      this.surroundings.warn(`The tool ${this.shown(name)} is left out: ${reason}.`);
      return undefined;
    }
  }

  private toolOf(remote: RemoteTool, name: string, full: string): Tool {
    const { trust, maxTotalMs, timeoutMs } = this.settings;
    const options = this.choices.optionsOf(remote.name);
    const { timeoutMs: ownTimeoutMs = timeoutMs } = options;
    const isChanged = !trust && this.firstSeen.isChanged(full, remote);
    const traits = remoteTraitsOf(remote.hints, options, trust);
    const permission = this.permissionOf(options.permission, isChanged, remote.name);
    const validator = new SchemaValidator(argumentsSchemaOf(remote.inputSchema));
    const { call } = this.surroundings;
    return {
      ...withoutKeys(options, ...READ_HERE),
      definition: {
        name,
        ...(remote.title !== undefined && { title: remote.title }),
        description: remote.description,
        input_schema: remote.inputSchema,
      },
      kind: 'mcp',
      isForeign: true,
      source: `tool ${this.shown(remote.name)}`,
      // A session remembers no approval of a destructive tool, so none outlives a change.
      traits: isChanged ? { ...traits, destructive: true } : traits,
      isRepeatable: isRepeatableBy(options),
      ...(permission !== undefined && { permission }),
      // Progress extends a call's time, which only the call itself can know.
      timeoutMs: Math.max(maxTotalMs, ownTimeoutMs),
      normalize: (input) => validator.given(input),
      // The server checks its arguments itself.
      bind: (input) =>
        Promise.resolve().then(() =>
          isAffordable(input, remote.inputSchema)
            ? validator.accept(input)
            : validator.given(input),
        ),
      invoke: (invocation) => call(remote, invocation, ownTimeoutMs),
    };
  }

  /** Missing for a trusted server without a permission: traits decide, as for other tools. */
  private permissionOf(
    own: Permission | undefined,
    isChanged: boolean,
    name: string,
  ): Permission | undefined {
    const { trust, permission = trust ? undefined : 'ask' } = this.settings;
    const chosen = own ?? permission;
    if (!isChanged || chosen === undefined) return chosen;
    this.surroundings.warn(
      `The tool ${this.shown(name)} has changed its name, description or schema; its calls ask again.`,
    );
    return askingAtLeast(chosen);
  }

  private instructionsOf(sent: string | undefined): string | undefined {
    const { trust, instructions } = this.settings;
    if (instructions === false) return undefined;
    const text = instructions ?? (trust ? sent?.slice(0, MAX_INSTRUCTION_CHARS) : undefined);
    return text === '' ? undefined : text;
  }

  /** A foreign name for the log, in quotes. */
  private shown(name: unknown): string {
    const masked = this.surroundings.mask(String(name));
    return printable(JSON.stringify(masked.slice(0, MAX_SHOWN_CHARS)));
  }
}

/** Separators in names become `_`, since a digest in each such name would only burden the model. */
function plainName(name: string): string {
  return name.replace(/[-./]/g, '_');
}

/** Raises a permission to at least `ask`: the tool has changed since it was allowed. */
function askingAtLeast(permission: Permission): Permission {
  if (typeof permission !== 'function') return strictest(['ask', permission]);
  return async (call, ctx) => {
    const level = await permission(call, ctx);
    // A value that is no permission level denies, as for an unchanged tool.
    return level === 'allow' ? 'ask' : level;
  };
}

type ToolOptions = NonNullable<McpClientToolsOptions['options']>[string];

function own<Value>(record: Readonly<Record<string, Value>> = {}, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
