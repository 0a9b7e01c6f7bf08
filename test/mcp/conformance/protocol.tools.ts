import { Injectable } from '@nestjs/common';
import { defineTool, Tool, ToolRegistry } from 'nestjs-agent';

const RUN_TIME_TOOL = defineTool({
  name: 'run_time_tool',
  description: 'Comes and goes',
  execute: () => 'present',
});

/** Tools that let the suite look at the server's streams. */
@Injectable()
export class ProtocolTools {
  constructor(private readonly registry: ToolRegistry) {}

  @Tool({
    name: 'test_streaming_elicitation',
    description: 'Asks for approval within its own answer',
    permission: 'ask',
  })
  approved(): string {
    return 'Approved.';
  }

  @Tool({ name: 'test_logging_tool', description: 'Sends no log messages', readOnly: true })
  silent(): string {
    return 'Done.';
  }

  @Tool({ name: 'test_trigger_tool_change', description: 'Adds a tool, or removes it again' })
  change(): string {
    if (this.registry.unregister(RUN_TIME_TOOL.definition.name)) return 'removed';
    this.registry.register(RUN_TIME_TOOL);
    return 'added';
  }
}
