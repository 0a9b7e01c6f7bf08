import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { Controller, Get, Headers, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AgentEvent, AgentModule, AgentService, type ChatResult, Tool } from 'nestjs-agent';
import { Barrier, ScriptedModel } from 'nestjs-agent/testing';

@Controller('orders')
class OrdersController {
  @Tool({ name: 'find_order', description: 'Find an order by its id' })
  @Get(':id')
  find(@Param('id') id: string, @Headers('authorization') user: string) {
    return { id, user };
  }
}

describe('an application on Fastify that speaks HTTP/2', () => {
  let app: NestFastifyApplication;
  let client: ClientHttp2Session;
  const aborted = new Barrier();
  const model = new ScriptedModel([
    { toolCalls: [{ name: 'find_order', input: { id: '17' } }] },
    'Found.',
    (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.open());
      return [{ type: 'text.delta', delta: 'First' }, new Barrier()];
    },
  ]);

  beforeAll(async () => {
    @Module({ imports: [AgentModule.forRoot({ model })], controllers: [OrdersController] })
    class AppModule {}
    // The adapter's own type has no such option.
    const adapter = new FastifyAdapter({ http2: true } as object);
    app = await NestFactory.create(AppModule, adapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    client = connect(await app.getUrl());
  });
  afterAll(async () => {
    client.destroy();
    await app.close();
  });

  const post = (path: string, body: object): ClientHttp2Stream => {
    const method = { ':method': 'POST', ':path': path, 'content-type': 'application/json' };
    const stream = client.request({ ...method, authorization: 'ada' });
    stream.end(JSON.stringify(body));
    return stream.setEncoding('utf8');
  };

  it('answers, and calls routes as the caller', async () => {
    const result = JSON.parse(await text(post('/agent/chat', { message: 'go' }))) as ChatResult;
    expect(result).toMatchObject({
      message: 'Found.',
      toolCalls: [{ output: '{"id":"17","user":"ada"}' }],
    });
  });

  it('streams, and cancels the run of a client that resets its stream', async () => {
    const stream = post('/agent/chat/stream', { message: 'go' });
    let received = '';
    while (!received.includes('"delta":"First"')) {
      const [piece] = (await once(stream, 'data')) as [string];
      received += piece;
    }
    stream.close(constants.NGHTTP2_CANCEL);
    await aborted.pass();
    const { runId = '', sessionId = '' } =
      /"sessionId":"(?<sessionId>[^"]+)".*?"runId":"(?<runId>[^"]+)"/.exec(received)?.groups ?? {};
    let last: AgentEvent | undefined;
    for await (const event of await app.get(AgentService).events(runId, { sessionId })) {
      last = event;
    }
    expect(last).toMatchObject({ type: 'run.finished', status: 'cancelled' });
  });
});
