import { defined } from '../../internal';
import type { ToolCatalog } from '../../invocation';
import type { JsonValue, ToolKind } from '../../message';
import { exampleOf } from '../../schema';
import {
  AgentError,
  type CallContext,
  type JsonSchema,
  type Tool,
  type ToolDefinition,
  type ToolkitSummary,
  type ToolTraits,
} from '../../tool';
import type { ChatOptions } from '../request';

/** A tool in a list. */
export interface ToolSummary {
  /** The tool's name. */
  readonly name: string;
  /** The title for people, if any. */
  readonly title?: string;
  /** The tool's description. */
  readonly description: string;
  /** The tool's kind. */
  readonly kind: ToolKind;
  /** The group it belongs to, if any. */
  readonly group?: string;
  /** Whether it only reads. */
  readonly readOnly: boolean;
  /** Whether it deletes or overwrites data. */
  readonly destructive: boolean;
  /** Whether repeating a call has no further effect. */
  readonly idempotent: boolean;
  /** Whether it accesses systems outside the application. */
  readonly openWorld: boolean;
}

/** An offered tool as registered, without generated examples. */
export interface OfferedTool {
  /** Name, description and schemas, frozen. */
  readonly definition: ToolDefinition;
  /** The tool's effects. */
  readonly traits: ToolTraits;
  /** The tool's kind. */
  readonly kind: ToolKind;
  /** The tool's origin, unless it is the application's own. */
  readonly origin?: Tool['origin'];
  /** The group it belongs to, if any. */
  readonly group?: string;
  /** The toolkit it belongs to, if any. */
  readonly toolkit?: ToolkitSummary;
  /** Set if its calls wait for an answer from outside. */
  readonly answer?: Tool['answer'];
  /** Whether its output schema only describes results, which may differ. */
  readonly isOutputDerived?: boolean;
  /** Whether another server runs it. */
  readonly isForeign?: boolean;
}

/** A tool in full. */
export interface ToolDetail extends ToolSummary {
  /** JSON Schema of the arguments. */
  readonly input_schema: JsonSchema;
  /** JSON Schema of the results, if declared. */
  readonly output_schema?: JsonSchema;
  /** Example arguments. */
  readonly requestExample: JsonValue;
  /** An example result; missing if the tool declares no result. */
  readonly responseExample?: JsonValue;
}

/** This caller may not use such a tool; `code` is `tool_not_found`. */
export class ToolNotFoundError extends AgentError {
  /** @internal */
  constructor(name: string) {
    super('tool_not_found', `There is no tool "${name}".`);
  }
}

/** Lists the tools that a caller may use. */
export class ToolListing {
  constructor(private readonly catalog: ToolCatalog) {}

  async offered(
    caller: ChatOptions & Pick<CallContext, 'activeGroups'>,
  ): Promise<readonly OfferedTool[]> {
    return (await this.catalog.offered(caller)).map(offeredAs);
  }

  async list(caller: ChatOptions): Promise<readonly ToolSummary[]> {
    return (await this.offered(caller)).map(summaryOf);
  }

  /** @throws ToolNotFoundError if this caller may not use such a tool */
  async detail(name: string, caller: ChatOptions): Promise<ToolDetail> {
    const offered = await this.catalog.offered(caller);
    const tool = offered.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw new ToolNotFoundError(name);
    const { input_schema, output_schema } = tool.definition;
    const response =
      tool.example?.output ?? (output_schema === undefined ? undefined : exampleOf(output_schema));
    return defined({
      ...summaryOf(tool),
      input_schema,
      output_schema,
      requestExample: tool.example?.input ?? exampleOf(input_schema),
      responseExample: response,
    });
  }
}

function offeredAs({
  definition,
  traits,
  kind,
  origin,
  group,
  toolkit,
  answer,
  isOutputDerived,
  isForeign,
}: Tool): OfferedTool {
  return {
    ...defined({ definition, traits, kind, origin, group, toolkit, answer }),
    ...(isOutputDerived === true && { isOutputDerived }),
    ...(isForeign === true && { isForeign }),
  };
}

function summaryOf({ definition, kind, group, traits }: OfferedTool): ToolSummary {
  const { readOnly, destructive, idempotent, openWorld } = traits;
  const { name, title, description } = definition;
  const effects = { readOnly, destructive, idempotent, openWorld };
  return defined({ name, title, description, kind, group, ...effects });
}
