import { Injectable } from '@nestjs/common';
import { ToolParam } from 'nestjs-agent';
import { McpPrompt, type McpPromptResult } from 'nestjs-agent/mcp';
import { PIXEL } from './sample-files';

/** Prompts with every kind of content. */
@Injectable()
export class SamplePrompts {
  @McpPrompt({ name: 'test_simple_prompt', description: 'A text' })
  simple(): string {
    return 'This is a simple prompt for testing.';
  }

  @McpPrompt({ name: 'test_prompt_with_arguments', description: 'A text with two arguments' })
  withArguments(
    @ToolParam('arg1', { description: 'First test argument', complete: startingWith })
    arg1: string,
    @ToolParam('arg2', { description: 'Second test argument' }) arg2: string,
  ): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @McpPrompt({ name: 'test_prompt_with_embedded_resource', description: 'A file and a text' })
  withFile(@ToolParam('resourceUri') resourceUri: string): McpPromptResult {
    const data = Buffer.from('Embedded resource content for testing.').toString('base64');
    return [
      {
        role: 'user',
        content: [
          { type: 'file', name: resourceUri, mediaType: 'text/plain', data },
          { type: 'text', text: 'Please process the embedded resource above.' },
        ],
      },
    ];
  }

  @McpPrompt({ name: 'test_prompt_with_image', description: 'A picture and a text' })
  withPicture(): McpPromptResult {
    return [
      { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: PIXEL }] },
      { role: 'user', content: 'Please analyze the image above.' },
    ];
  }
}

function startingWith(value: string): string[] {
  return ['test one', 'test two', 'paris'].filter((word) => word.startsWith(value));
}
