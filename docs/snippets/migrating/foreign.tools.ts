import { Injectable, type OnModuleInit } from '@nestjs/common';
import { defineTool, ToolRegistry } from 'nestjs-agent';
import type { StandardSchemaV1 } from 'nestjs-agent/types';
import { parcelTracking } from './parcel-tracking';

// #region take
/** What the tools of LangChain and its like have in common. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  readonly schema: StandardSchemaV1; // zod 4.2, for one
  invoke(input: unknown): unknown;
}

@Injectable()
export class ForeignTools implements OnModuleInit {
  constructor(private readonly registry: ToolRegistry) {}

  onModuleInit(): void {
    this.take(parcelTracking, { readOnly: true });
  }

  private take(tool: ForeignTool, traits: { readonly readOnly?: boolean } = {}): void {
    const { name, description, schema: input } = tool;
    this.registry.register(
      defineTool({ name, description, input, ...traits, execute: (value) => tool.invoke(value) }),
    );
  }
}
// #endregion take
