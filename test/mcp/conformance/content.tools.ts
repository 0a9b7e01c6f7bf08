import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Tool, ToolContext, ToolError, ToolResult } from 'nestjs-agent';
import { PIXEL, SILENCE } from './sample-files';

/** Long enough for a client to receive one message of progress after the other. */
const STEP_MS = 110;

/** Tools that answer with every kind of content, with an error, and with progress. */
@Injectable()
export class ContentTools {
  @Tool({ name: 'test_simple_text', description: 'Answers with a text', readOnly: true })
  text(): string {
    return 'This is a simple text response for testing.';
  }

  @Tool({ name: 'test_image_content', description: 'Answers with a picture', readOnly: true })
  picture(): ToolResult {
    return new ToolResult([{ type: 'image', mediaType: 'image/png', data: PIXEL }]);
  }

  @Tool({ name: 'test_audio_content', description: 'Answers with a sound', readOnly: true })
  sound(): ToolResult {
    return new ToolResult([{ type: 'file', mediaType: 'audio/wav', data: SILENCE }]);
  }

  @Tool({ name: 'test_embedded_resource', description: 'Answers with a file', readOnly: true })
  file(): ToolResult {
    const data = Buffer.from('This is an embedded resource content.').toString('base64');
    return new ToolResult([{ type: 'file', name: 'note.txt', mediaType: 'text/plain', data }]);
  }

  @Tool({
    name: 'test_multiple_content_types',
    description: 'Answers with a text, a picture and a file',
    readOnly: true,
  })
  mixed(): ToolResult {
    const data = Buffer.from('{"test":"data","value":123}').toString('base64');
    return new ToolResult([
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', mediaType: 'image/png', data: PIXEL },
      { type: 'file', name: 'data.json', mediaType: 'application/json', data },
    ]);
  }

  @Tool({ name: 'test_error_handling', description: 'Fails', readOnly: true })
  fail(): never {
    throw new ToolError('This tool intentionally returns an error for testing');
  }

  @Tool({ name: 'test_tool_with_progress', description: 'Reports progress', readOnly: true })
  async work(ctx: ToolContext): Promise<string> {
    for (const progress of [0, 50, 100]) {
      ctx.emit({ progress, total: 100, message: `${progress} of 100` });
      await delay(STEP_MS);
    }
    return 'The work is done.';
  }
}
