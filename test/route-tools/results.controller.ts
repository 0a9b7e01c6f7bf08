import { gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import {
  BadRequestException,
  Controller,
  ForbiddenException,
  Get,
  Header,
  HttpCode,
  HttpException,
  NotFoundException,
  Post,
  Put,
  Redirect,
  Res,
  ServiceUnavailableException,
  StreamableFile,
  UnauthorizedException,
} from '@nestjs/common';
import { Tool } from 'nestjs-agent';

/** The smallest PNG. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A connection that can be cut. */
interface Cut {
  raw?: Cut;
  socket: { destroy(): void } | null;
  hijack?(): void;
  writeHead(status: number, headers: Record<string, string>): Cut;
  write(text: string, then: () => void): void;
}

export const attempts = { unavailable: 0, missing: 0, keys: [] as (string | undefined)[] };

/** A first line, and then nothing. */
function stalling(): Readable {
  const lines = new Readable({ read: () => undefined });
  lines.push('{"id":1}\n');
  return lines;
}

const tool = () => Tool({ description: 'One kind of response' });

interface Reply {
  code?(status: number): Reply;
  status(status: number): Reply;
  header(name: string, value: string): Reply;
  type(type: string): Reply;
  send(body: unknown): unknown;
}

@Controller('results')
export class ResultsController {
  @tool()
  @Get('json')
  json() {
    return { list: [1, { a: null }] };
  }

  @tool()
  @Get('null')
  @Header('content-type', 'application/json')
  nothing() {
    return 'null';
  }

  @tool()
  @Get('text')
  text() {
    return 'just text';
  }

  @tool()
  @Get('latin')
  latin(@Res() reply: Reply) {
    reply.header('content-type', 'text/plain; charset=iso-8859-1');
    reply.send(Buffer.from('caf\xe9', 'latin1'));
  }

  @tool()
  @Get('empty')
  empty() {}

  @tool()
  @Post('no-content')
  @HttpCode(204)
  noContent() {}

  @tool()
  @Get('image')
  @Header('content-type', 'image/png')
  image() {
    return new StreamableFile(PNG);
  }

  @tool()
  @Get('file')
  file() {
    return new StreamableFile(Readable.from([Buffer.from([0, 255, 1])]), {
      type: 'application/pdf',
      disposition: 'attachment; filename="a report.pdf"',
    });
  }

  @tool()
  @Get('gzip')
  gzip(@Res() reply: Reply) {
    reply.header('content-type', 'application/json').header('content-encoding', 'gzip');
    reply.send(gzipSync('{"small":true}'));
  }

  @tool()
  @Get('broken-json')
  brokenJson(@Res() reply: Reply) {
    reply.header('content-type', 'application/json').send('{"half":');
  }

  @tool()
  @Get('large-text')
  largeText() {
    return 'x'.repeat(6_000_000);
  }

  @tool()
  @Get('unauthorized')
  unauthorized() {
    throw new UnauthorizedException('Token expired');
  }

  @tool()
  @Get('forbidden')
  forbidden() {
    throw new ForbiddenException();
  }

  @tool()
  @Get('missing')
  missing() {
    attempts.missing += 1;
    throw new NotFoundException('There is no application "x"');
  }

  @tool()
  @Get('invalid')
  invalid() {
    throw new BadRequestException(['name must be a string', 'age must be a number']);
  }

  @tool()
  @Get('problem')
  problem() {
    throw new HttpException(
      { type: 'about:blank', title: 'Conflict', detail: 'It is locked' },
      409,
    );
  }

  @tool()
  @Get('crash')
  crash() {
    throw new Error('connect ECONNREFUSED postgres://secret@db/1');
  }

  @tool()
  @Get('stack')
  stack(@Res() reply: Reply) {
    reply.status(400).send({ message: `oops\n    at Object.x (/srv/app/secret.js:1:1)` });
  }

  @tool()
  @Get('page')
  page(@Res() reply: Reply) {
    reply.status(502).header('content-type', 'text/html').send('<h1>Bad</h1><pre>secret</pre>');
  }

  @Tool({ description: 'Down', retry: { initialBackoffMs: 1, maxBackoffMs: 2 } })
  @Get('unavailable')
  unavailable() {
    attempts.unavailable += 1;
    throw new ServiceUnavailableException('Maintenance');
  }

  @Tool({ description: 'Writes, safe to repeat', idempotent: true, retry: { initialBackoffMs: 1 } })
  @Post('keyed')
  keyed(@Res({ passthrough: true }) reply: { req?: unknown; request?: unknown }) {
    const { headers } = (reply.req ?? reply.request) as { headers: Record<string, string> };
    attempts.keys.push(headers['idempotency-key']);
    if (attempts.keys.length < 2) throw new ServiceUnavailableException();
    return { done: true };
  }

  @tool()
  @Post('taken')
  taken(@Res() reply: Reply) {
    reply.status(409).send('The name is taken');
  }

  @tool()
  @Post('error-message')
  errorMessage(@Res() reply: Reply) {
    reply.status(422).send({ errorMessage: 'The card was refused', code: 'card_declined' });
  }

  @tool()
  @Post('cut')
  cut(@Res() reply: Cut) {
    attempts.missing += 1;
    reply.hijack?.();
    const out = reply.raw ?? reply;
    out.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
    out.write('{"id":', () => out.socket?.destroy());
  }

  /** An export that stalls after its first line, as where its database hangs. */
  @Tool({ description: 'Writes, and stalls', timeoutMs: 100 })
  @Post('stalled')
  stalled() {
    attempts.missing += 1;
    return new StreamableFile(stalling(), { type: 'application/json' });
  }

  @Tool({ description: 'Writes, safe to repeat, and stalls', timeoutMs: 100 })
  @Put('stalled')
  stalledAgain() {
    return this.stalled();
  }

  @Tool({ description: 'Reads, and stalls', timeoutMs: 100, retry: { maxAttempts: 1 } })
  @Get('stalled')
  stalledReading() {
    return this.stalled();
  }

  @Tool({ description: 'Says nothing at all', timeoutMs: 100 })
  @Post('silent')
  silent() {
    attempts.missing += 1;
    return new Promise(() => undefined);
  }

  @tool()
  @Post('large-file')
  largeFile(@Res() reply: Reply) {
    reply.header('content-type', 'application/pdf').status(201).send(Buffer.alloc(6_000_000));
  }

  @tool()
  @Get('redirect')
  @Redirect('https://evil.test/steal?token=secret', 302)
  redirect() {}
}
