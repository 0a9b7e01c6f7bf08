import { Injectable } from '@nestjs/common';
import { ToolCatalog } from '../../invocation';
import type { JsonValue, ToolKind } from '../../message';
import { exampleOf } from '../../schema';
import {
  AgentError,
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
  /** What people read instead of the name; missing where it was given none. */
  readonly title?: string;
  /** What it does. */
  readonly description: string;
  /** How it is carried out. */
  readonly kind: ToolKind;
  /** The group it belongs to, if any. */
  readonly group?: string;
  /** Whether it changes nothing. */
  readonly readOnly: boolean;
  /** Whether it removes or overwrites. */
  readonly destructive: boolean;
  /** Whether twice is as good as once. */
  readonly idempotent: boolean;
  /** Whether it reaches beyond the application and its data. */
  readonly openWorld: boolean;
}

/** A tool on offer, as it is registered; nothing is made up for it. */
export interface OfferedTool {
  /** Name, description and schemas, frozen. */
  readonly definition: ToolDefinition;
  /** What it does to the world. */
  readonly traits: ToolTraits;
  /** How it is carried out. */
  readonly kind: ToolKind;
  /** Whose it is, where it is not the application's. */
  readonly origin?: Tool['origin'];
  /** The group it belongs to, if any. */
  readonly group?: string;
  /** The toolkit it belongs to, if any. */
  readonly toolkit?: ToolkitSummary;
  /** Whether its calls wait for somebody else's answer. */
  readonly answer?: Tool['answer'];
}

/** A tool in full. */
export interface ToolDetail extends ToolSummary {
  /** JSON Schema of the arguments. */
  readonly input_schema: JsonSchema;
  /** JSON Schema of the results, where there is one. */
  readonly output_schema?: JsonSchema;
  /** Arguments that the tool accepts. */
  readonly requestExample: JsonValue;
  /** A result of the declared shape; missing where the tool declares none. */
  readonly responseExample?: JsonValue;
}

/** There is no such tool, or none for this caller; `code` is `tool_not_found`. */
export class ToolNotFoundError extends AgentError {
  /** @internal */
  constructor(name: string) {
    super('tool_not_found', `There is no tool "${name}".`);
  }
}

/** Shows callers the tools they may use, and no others. */
@Injectable()
export class ToolListing {
  constructor(private readonly catalog: ToolCatalog) {}

  async offered(caller: ChatOptions): Promise<readonly OfferedTool[]> {
    return (await this.catalog.offered(caller)).map(offeredAs);
  }

  async list(caller: ChatOptions): Promise<readonly ToolSummary[]> {
    return (await this.offered(caller)).map(summaryOf);
  }

  /** @throws ToolNotFoundError where there is none, or none for this caller */
  async detail(name: string, caller: ChatOptions): Promise<ToolDetail> {
    const offered = await this.catalog.offered(caller);
    const tool = offered.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw new ToolNotFoundError(name);
    const { input_schema, output_schema } = tool.definition;
    const response =
      tool.example?.output ?? (output_schema === undefined ? undefined : exampleOf(output_schema));
    return {
      ...summaryOf(tool),
      input_schema,
      ...(output_schema !== undefined && { output_schema }),
      requestExample: tool.example?.input ?? exampleOf(input_schema),
      ...(response !== undefined && { responseExample: response }),
    };
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
}: Tool): OfferedTool {
  return {
    definition,
    traits,
    kind,
    ...(origin && { origin }),
    ...(group !== undefined && { group }),
    ...(toolkit && { toolkit }),
    ...(answer && { answer }),
  };
}

function summaryOf({ definition, kind, group, traits }: OfferedTool): ToolSummary {
  const { readOnly, destructive, idempotent, openWorld } = traits;
  const { name, title, description } = definition;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    kind,
    ...(group !== undefined && { group }),
    readOnly,
    destructive,
    idempotent,
    openWorld,
  };
}
