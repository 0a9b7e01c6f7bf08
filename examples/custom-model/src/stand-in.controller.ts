import { Controller, Header, Post, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * Stands in for your company's model service: takes a prompt as text, and answers with text. It
 * calls the tool in the format that `react` describes in the prompt, and then repeats the result.
 */
@Controller('stand-in')
export class StandInController {
  @Post()
  @Header('content-type', 'text/plain')
  async complete(@Req() request: IncomingMessage): Promise<string> {
    const prompt = await text(request);
    const result = /<observation[^>]*>\n(?<result>.*)\n/.exec(prompt)?.groups?.result;
    if (result !== undefined) return `The service says: ${result}`;
    const city = /in (?<city>\w+)\?$/.exec(prompt)?.groups?.city ?? 'Rome';
    return `<tool_call>${JSON.stringify({ name: 'get_weather', arguments: { city } })}</tool_call>`;
  }
}
