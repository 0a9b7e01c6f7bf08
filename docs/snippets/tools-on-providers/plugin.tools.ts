import { Injectable } from '@nestjs/common';
import { defineTool, ToolRegistry, type RegisteredTool } from 'nestjs-agent';

export const tide = defineTool({
  name: 'tide',
  title: 'Tide table',
  description: 'Say when the tide is high',
  readOnly: true,
  openWorld: true,
  execute: () => '14:20',
});

// #region toolkit
@Injectable()
export class HarbourPlugin {
  constructor(private readonly registry: ToolRegistry) {}

  load(): void {
    this.registry.registerToolkit(this.with([tide]));
  }

  update(tools: readonly RegisteredTool[]): void {
    this.registry.replaceToolkit(this.with(tools)); // same names are replaced, others come and go
  }

  unload(): void {
    this.registry.unregisterToolkit('harbour');
  }

  private with(tools: readonly RegisteredTool[]) {
    return { name: 'harbour', description: 'Tides and berths', prefix: 'harbour_', tools };
  }
}
// #endregion toolkit
