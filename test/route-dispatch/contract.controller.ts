import { randomBytes } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  All,
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Query,
  type RawBodyRequest,
  Req,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { ClsService } from 'nestjs-cls';

/** Tells tests what happened to a handler's connection. */
export const connections = new EventEmitter();
/** Filled by a middleware, as nestjs-cls does. */
export const requestStore = new AsyncLocalStorage<{ readonly path: string }>();
/** Filled by a test around its call; a handler must not see it. */
export const callerStore = new AsyncLocalStorage<string>();

export const BINARY = randomBytes(70_000);
export const LARGE = { items: Array.from({ length: 40_000 }, (_, id) => ({ id, name: `n${id}` })) };

interface AdapterRequest extends IncomingMessage {
  readonly raw?: IncomingMessage;
  readonly ip?: string;
  readonly protocol?: string;
  readonly hostname?: string;
  readonly body?: unknown;
}

interface AdapterResponse extends ServerResponse {
  readonly raw?: ServerResponse;
  hijack?(): void;
  header(name: string, value: string | string[]): this;
  send(body?: unknown): this;
}

/** The Node response, taken out of the framework's hands. */
function nodeResponse(response: AdapterResponse): ServerResponse {
  response.hijack?.();
  return response.raw ?? response;
}

@Controller('contract')
export class ContractController {
  constructor(private readonly cls: ClsService) {}

  @Get('json')
  json() {
    return { text: 'grüße', list: [1, null, true] };
  }

  @Get('text')
  text() {
    return 'plain';
  }

  @Get('empty')
  empty() {
    return undefined;
  }

  @Post('no-content')
  @HttpCode(204)
  noContent() {
    return undefined;
  }

  @Get('not-modified')
  @HttpCode(304)
  notModified() {
    return undefined;
  }

  @Get('headers')
  headers(@Req() request: AdapterRequest) {
    return (request.raw ?? request).headers;
  }

  @Get('seen')
  seen(@Req() request: AdapterRequest) {
    return {
      ip: request.ip,
      protocol: request.protocol,
      address: (request.raw ?? request).socket.remoteAddress,
      httpVersion: (request.raw ?? request).httpVersion,
      url: (request.raw ?? request).url,
    };
  }

  @Get('cookies')
  cookies(@Res({ passthrough: true }) response: AdapterResponse) {
    response.header('set-cookie', ['a=1; Path=/', 'b=2; HttpOnly']);
    response.header('x-answer', '42');
    return { ok: true };
  }

  @Get('res')
  res(@Res() response: AdapterResponse) {
    response.header('content-type', 'text/csv');
    response.send('a,b\n1,2\n');
  }

  @Get('file')
  @Header('content-type', 'application/pdf')
  file() {
    return new StreamableFile(Readable.from([BINARY.subarray(0, 100), BINARY.subarray(100)]), {
      disposition: 'attachment; filename="report.pdf"',
    });
  }

  @Get('large')
  large() {
    return LARGE;
  }

  @Get('chunked')
  async chunked(@Res() response: AdapterResponse) {
    const raw = nodeResponse(response);
    raw.writeHead(200, { 'content-type': 'text/plain' });
    for (let part = 0; part < 20; part += 1) {
      raw.write(`part ${part}\n`);
      await new Promise(setImmediate);
    }
    raw.end('end');
  }

  @Get('raw-head')
  rawHead(@Res() response: AdapterResponse) {
    const raw = nodeResponse(response);
    raw.writeHead(203, 'Quite Right', ['X-Raw', 'yes', 'Content-Length', '2']);
    raw.end('ok');
  }

  @Get('early-hints')
  earlyHints(@Res() response: AdapterResponse) {
    const raw = nodeResponse(response);
    raw.writeEarlyHints({ link: '</style.css>; rel=preload' });
    raw.end('after hints');
  }

  @Get('gzip')
  @Header('content-type', 'application/json')
  @Header('content-encoding', 'gzip')
  gzip(@Res() response: AdapterResponse) {
    response.header('content-type', 'application/json');
    response.header('content-encoding', 'gzip');
    response.send(gzipSync(JSON.stringify({ compressed: true })));
  }

  @Get('missing')
  missing() {
    throw new NotFoundException('There is no such thing');
  }

  @Get('broken')
  broken() {
    throw new Error('SELECT secret FROM users');
  }

  @Get('breaks-off')
  breaksOff(@Res() response: AdapterResponse) {
    const raw = nodeResponse(response);
    raw.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
    raw.write('half', () => raw.destroy());
  }

  @Get('hangs')
  hangs(@Req() request: AdapterRequest, @Res() response: AdapterResponse) {
    const raw = nodeResponse(response);
    raw.once('close', () => connections.emit('closed', raw.writableFinished));
    connections.emit('hanging', (request.raw ?? request).url);
  }

  @Get('endless')
  endless(@Res() response: AdapterResponse) {
    const raw = nodeResponse(response);
    raw.writeHead(200, { 'content-type': 'text/plain' });
    const source = Readable.from(endlessText());
    raw.once('close', () => {
      source.destroy();
      connections.emit('closed', raw.writableFinished);
    });
    source.pipe(raw);
  }

  @Get('times-out')
  timesOut(@Res() response: AdapterResponse) {
    const raw = nodeResponse(response);
    raw.setTimeout(30, () => raw.end('after a while'));
  }

  @Get('gives-up')
  givesUp(@Req() request: AdapterRequest, @Res() response: AdapterResponse) {
    nodeResponse(response);
    (request.raw ?? request).setTimeout(30);
  }

  @Get('waits-no-more')
  async waitsNoMore(@Req() request: AdapterRequest, @Res() response: AdapterResponse) {
    const raw = nodeResponse(response);
    (request.raw ?? request).setTimeout(30).setTimeout(0);
    await setTimeout(80);
    raw.end(typeof (request.raw ?? request).socket.address());
  }

  @Get('refuses')
  refuses(@Req() request: AdapterRequest, @Res() response: AdapterResponse) {
    nodeResponse(response);
    (request.raw ?? request).socket.destroy();
  }

  @Get('store')
  async store() {
    await new Promise(setImmediate);
    return {
      request: requestStore.getStore()?.path ?? null,
      caller: callerStore.getStore() ?? null,
    };
  }

  @Get('cls/:n')
  async clsStore(@Param('n') n: string) {
    this.cls.set('n', n);
    await new Promise(setImmediate);
    return {
      id: this.cls.getId(),
      path: this.cls.get<string>('path'),
      n: this.cls.get<string>('n'),
      caller: this.cls.get<string | undefined>('caller') ?? null,
    };
  }

  @Get('binary')
  binary(@Res() response: AdapterResponse) {
    response.header('content-type', 'application/octet-stream');
    response.send(BINARY);
  }

  @Get('items/:id')
  item(@Param('id') id: string, @Query() query: Record<string, unknown>) {
    return { id, query: { ...query } };
  }

  @Post('echo')
  echo(@Req() request: RawBodyRequest<AdapterRequest>, @Body() body: unknown) {
    return {
      body,
      raw: request.rawBody?.toString('utf8'),
      length: (request.raw ?? request).headers['content-length'],
      chunked: (request.raw ?? request).headers['transfer-encoding'] ?? null,
    };
  }

  @All('method')
  method(@Req() request: AdapterRequest) {
    return { method: (request.raw ?? request).method };
  }
}

function* endlessText(): Generator<string> {
  for (;;) yield 'x'.repeat(10_000);
}
