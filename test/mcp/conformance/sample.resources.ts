import { Injectable } from '@nestjs/common';
import { ToolParam } from 'nestjs-agent';
import { McpResource } from 'nestjs-agent/mcp';
import { PIXEL } from './sample-files';

/** Resources of every kind: text, bytes, and a template. */
@Injectable()
export class SampleResources {
  @McpResource({
    uri: 'test://static-text',
    name: 'static_text',
    description: 'A text',
    mimeType: 'text/plain',
  })
  text(): string {
    return 'This is the content of the static text resource.';
  }

  @McpResource({
    uri: 'test://static-binary',
    name: 'static_binary',
    description: 'A picture',
    mimeType: 'image/png',
  })
  picture(): Uint8Array {
    return Buffer.from(PIXEL, 'base64');
  }

  @McpResource({
    uri: 'test://template/{id}/data',
    name: 'template',
    description: 'Data of one id',
    mimeType: 'application/json',
  })
  data(@ToolParam('id') id: string): object {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}
