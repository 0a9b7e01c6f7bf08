import { Injectable } from '@nestjs/common';
import { ToolCatalog } from '../../invocation';
import type { JsonValue, ToolKind } from '../../message';
import { exampleOf } from '../../schema';
import { AgentError, type JsonSchema, type Tool } from '../../tool';
import type { ChatOptions } from '../request';

/** A tool in a list. */
export interface ToolSummary {
  /** The tool's name. */
  readonly name: string;
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

  async list(caller: ChatOptions): Promise<readonly ToolSummary[]> {
    return (await this.catalog.offered(caller)).map(summaryOf);
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

function summaryOf({ definition, kind, group, traits }: Tool): ToolSummary {
  const { readOnly, destructive, idempotent } = traits;
  return {
    name: definition.name,
    description: definition.description,
    kind,
    ...(group !== undefined && { group }),
    readOnly,
    destructive,
    idempotent,
  };
}
