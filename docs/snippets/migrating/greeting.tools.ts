import { Injectable } from '@nestjs/common';
import { Tool, ToolContext, ToolEmitter, ToolParam } from 'nestjs-agent';
import { McpPrompt, McpResource } from 'nestjs-agent/mcp';
import { z } from 'zod';

// #region greeting
const Greeting = z.object({ name: z.string().default('World') });

@Injectable()
export class GreetingTools {
  // parameters: Greeting, annotations: { readOnlyHint: true }
  @Tool({ name: 'greet', description: 'Greet somebody', input: Greeting, readOnly: true })
  greet({ name }: z.infer<typeof Greeting>, emitter: ToolEmitter, ctx: ToolContext): string {
    emitter.emit({ progress: 50, total: 100 }); // context.reportProgress
    return `Hello, ${name}, says ${ctx.principal}`; // no { content: [{ type: 'text' … }] }
  }

  // @Resource and @ResourceTemplate
  @McpResource({ uri: 'greetings://{language}', mimeType: 'text/plain' })
  greeting(@ToolParam('language') language: string): string {
    return language === 'de' ? 'Hallo' : 'Hello';
  }

  // @Prompt
  @McpPrompt({ description: 'Write a greeting' })
  write_greeting(@ToolParam('name') name: string): string {
    return `Write a greeting to ${name}.`;
  }
}
// #endregion greeting
