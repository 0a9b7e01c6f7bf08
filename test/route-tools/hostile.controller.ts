import { Readable } from 'node:stream';
import { Controller, Get, Headers, Header, Param, Post, Query, Req, Res } from '@nestjs/common';
import { Tool } from 'nestjs-agent';

interface RawRequest {
  readonly url: string;
}

export const touched: string[] = [];

/** Answers with what it was handed; routes beside it must never be reached by a value. */
@Controller('hostile')
export class HostileController {
  @Get('items/secret')
  secret() {
    touched.push('secret');
  }

  @Post('items/purge')
  purge() {
    touched.push('purge');
  }

  @Get('files/:owner/secret')
  secretFile() {
    touched.push('secret file');
  }

  @Tool({ name: 'read_file', description: 'Reads a file' })
  @Get('files/*')
  file(@Param() params: Record<string, string | string[]>) {
    return { path: Object.values(params).flat().join('/') };
  }

  @Tool({ name: 'read_item', description: 'Reads an item' })
  @Get('items/:id')
  item(@Param('id') id: string, @Query('q') q?: string) {
    return { id, q };
  }

  @Tool({ name: 'read_part', description: 'Reads a part' })
  @Get('items/:id/parts/:part')
  part(@Param('id') id: string, @Param('part') part: string) {
    return { id, part };
  }

  @Get('items')
  list() {
    touched.push('list');
    return [];
  }

  @Post('items/:id')
  write() {
    touched.push('write');
  }

  @Get('admin')
  admin() {
    touched.push('admin');
  }

  @Tool({ name: 'with_header', description: 'Takes a header' })
  @Get('header')
  header(@Headers('x-note') note: string, @Headers('x-injected') injected?: string) {
    return { note, injected };
  }

  @Tool({ name: 'gigabyte', description: 'A gigabyte of text' })
  @Get('gigabyte')
  @Header('content-type', 'text/plain')
  gigabyte(@Res() reply: { raw?: NodeJS.WritableStream; hijack?(): void }) {
    reply.hijack?.();
    const out = (reply.raw ?? reply) as NodeJS.WritableStream;
    const source = Readable.from(chunks(16_384));
    out.once('close', () => source.destroy());
    source.pipe(out);
  }

  @Tool({ name: 'gigabyte_file', description: 'A gigabyte of something', timeoutMs: 10_000 })
  @Get('gigabyte-file')
  gigabyteFile(@Res() reply: { raw?: NodeJS.WritableStream; hijack?(): void }) {
    reply.hijack?.();
    const out = (reply.raw ?? reply) as NodeJS.WritableStream & {
      setHeader(name: string, value: string): void;
    };
    out.setHeader('content-type', 'application/octet-stream');
    const source = Readable.from(chunks(16_384));
    out.once('close', () => source.destroy());
    source.pipe(out);
  }

  @Tool({
    name: 'drip',
    description: 'A byte now and then',
    timeoutMs: 300,
    retry: { maxAttempts: 1 },
  })
  @Get('drip')
  drip(@Res() reply: { raw?: NodeJS.WritableStream; hijack?(): void }) {
    reply.hijack?.();
    const out = (reply.raw ?? reply) as NodeJS.WritableStream;
    const timer = setInterval(() => out.write('.'), 20);
    out.once('close', () => {
      clearInterval(timer);
      touched.push('drip closed');
    });
  }

  @Get('plain/:n')
  plain(@Param('n') n: string, @Req() { url }: RawRequest) {
    return { n, url };
  }

  @Tool({ name: 'plain_tool', description: 'Plain' })
  @Get('plain-tool/:n')
  plainTool(@Param('n') n: string) {
    return { n };
  }
}

function* chunks(count: number): Generator<Buffer> {
  const chunk = Buffer.alloc(65_536, 'x');
  for (let sent = 0; sent < count; sent += 1) yield chunk;
  touched.push('gigabyte sent');
}
