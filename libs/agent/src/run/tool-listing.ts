import { Injectable } from '@nestjs/common';
import { ToolCatalog } from '../invocation';
import type { JsonValue, ToolKind } from '../message';
import { exampleOf } from '../schema';
import { AgentError, type JsonSchema, type Tool } from '../tool';
import type { ChatOptions } from './chat-input';

/** A tool in a list. */
export interface ToolSummary {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly group?: string;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

/** A tool in full. */
export interface ToolDetail extends ToolSummary {
  readonly input_schema: JsonSchema;
  readonly output_schema?: JsonSchema;
  /** Arguments that the tool accepts. */
  readonly requestExample: JsonValue;
  /** A result of the declared shape; missing where the tool declares none. */
  readonly responseExample?: JsonValue;
}

export class ToolNotFoundError extends AgentError {
  constructor(name: string) {
    super('tool_not_found', `There is no tool "${name}".`);
  }
}

/** Shows callers the tools they may use, and no others. */
@Injectable()
export class ToolListing {
  constructor(private readonly catalog: ToolCatalog) {}

  list(caller: ChatOptions): readonly ToolSummary[] {
    return this.catalog.offered(caller).map(summaryOf);
  }

  /** @throws ToolNotFoundError where there is none, or none for this caller */
  detail(name: string, caller: ChatOptions): ToolDetail {
    const tool = this.catalog.offered(caller).find(({ definition }) => definition.name === name);
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
