import { Controller, Get, HostParam, Module, Param, Post, Redirect, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  AgentModule,
  type AgentModuleOptions,
  offline,
  Tool,
  ToolCallFactory,
  ToolRegistry,
  type ToolResponse,
} from 'nestjs-agent';
import { SELF_SIGNED } from './route-tools/self-signed';

@Controller('orders')
class OrdersController {
  @Tool({ name: 'get_order', description: 'Look up an order' })
  @Get(':id')
  find(
    @Param('id') id: string,
    @Req() request: { readonly headers: object; readonly url: string },
  ) {
    return { id, url: request.url, headers: request.headers };
  }

  @Tool({ name: 'create_order', description: 'Create an order' })
  @Post()
  create() {}

  @Tool({ name: 'moved', description: 'Redirects', retry: { maxAttempts: 1 } })
  @Get('moved/away')
  @Redirect('http://169.254.169.254/latest')
  moved() {}
}

@Controller({ path: 'tenant', host: ':tenant.example.com' })
class TenantController {
  @Tool({ name: 'tenant', description: 'Who the tenant is' })
  @Get()
  who(@HostParam('tenant') tenant: string) {
    return { tenant };
  }
}

function agentModule(options: AgentModuleOptions) {
  @Module({
    imports: [AgentModule.forRoot({ model: offline(), defaultPermission: 'allow', ...options })],
    controllers: [OrdersController, TenantController],
  })
  class RemoteModule {}
  return RemoteModule;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('route tools at a real address', () => {
  let base: string;
  let service: Awaited<ReturnType<typeof NestFactory.create>>;
  let consoleApp: Awaited<ReturnType<typeof NestFactory.createApplicationContext>>;

  beforeAll(async () => {
    service = await NestFactory.create(agentModule({ path: false }), { logger: false });
    service.setGlobalPrefix('v2');
    await service.listen(0, '127.0.0.1');
    const { port } = (service.getHttpServer() as Server).address() as AddressInfo;
    base = `http://127.0.0.1:${port}`;
    // An application of its own, without HTTP, whose tools are the routes over there.
    consoleApp = await NestFactory.createApplicationContext(
      agentModule({ path: false, dispatch: { baseUrl: `${base}/v2/` } }),
      { logger: false },
    );
  });

  afterAll(async () => {
    await consoleApp.close();
    await service.close();
  });

  const call = async (
    name: string,
    input: Record<string, string> = {},
    request?: unknown,
  ): Promise<ToolResponse> => {
    const { response } = await consoleApp
      .get(ToolCallFactory)
      .create(name, input, { ...(request !== undefined && { request }) });
    return response.execute();
  };

  it('are called there, below its path, as the caller', async () => {
    const chatRequest = {
      headers: {
        authorization: 'Bearer alice',
        host: 'evil.test',
        'x-forwarded-host': 'evil.test',
      },
    };
    const { result } = await call('get_order', { id: 'a/../b' }, chatRequest);
    expect(result).toMatchObject({
      id: 'a/../b',
      url: '/v2/orders/a%2F..%2Fb',
      headers: { authorization: 'Bearer alice', 'x-agent-depth': '1' },
    });
    expect((result as { headers: object }).headers).not.toHaveProperty('x-forwarded-host');
  });

  it('ask for the host of that address, or for that of the route', async () => {
    const chatRequest = {
      hostname: 'acme.example.com',
      headers: { host: 'acme.example.com' },
    };
    const { result } = await call('get_order', { id: '1' }, chatRequest);
    expect(result).toMatchObject({ headers: { host: new URL(base).host } });
    expect((await call('tenant', {}, chatRequest)).result).toEqual({ tenant: 'acme' });
  });

  it('never leave that address, wherever a redirect points', async () => {
    const { error } = await call('moved');
    expect(error?.message).toContain('redirect (302) to "http://169.254.169.254/latest"');
  });
});

it('a remote service that is not there is a clear error, tried again for reads only', async () => {
  const server = createServer();
  const base = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  const app = await NestFactory.createApplicationContext(
    agentModule({
      path: false,
      dispatch: { baseUrl: base },
      tools: { retry: { initialBackoffMs: 1, maxBackoffMs: 2 } },
    }),
    { logger: false },
  );
  const calls = app.get(ToolCallFactory);
  const read = await (await calls.create('get_order', { id: '1' })).response.execute();
  expect(read.error?.message).toBe('The route gave no response.');
  expect(read.attempts).toBe(3);
  const write = await (await calls.create('create_order', {})).response.execute();
  expect(write.attempts).toBe(1);
  await app.close();
});

it('a remote write that succeeded is told so though its response did not end in time', async () => {
  let orders = 0;
  const server = createServer((_, response) => {
    orders += 1;
    response.writeHead(201, { 'content-type': 'application/json' }).write('{"id":');
  });
  const app = await NestFactory.createApplicationContext(
    agentModule({
      path: false,
      dispatch: { baseUrl: await listening(server) },
      tools: { timeoutMs: 200 },
    }),
    { logger: false },
  );
  const write = await (
    await app.get(ToolCallFactory).create('create_order', {})
  ).response.execute();
  expect(write).toMatchObject({
    status: 'executed',
    content: expect.stringMatching(/^Done: the route answered with success \(201\)/),
  });
  expect(orders).toBe(1);
  await app.close();
  await new Promise((resolve) => server.close(resolve));
});

it('a remote service has to prove its own name, whatever the caller’s host is', async () => {
  const names: string[] = [];
  const server = createTlsServer({
    ...SELF_SIGNED,
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  const { port } = new URL(await listening(server));
  const app = await NestFactory.createApplicationContext(
    agentModule({
      path: false,
      dispatch: { baseUrl: `https://localhost:${port}` },
      tools: { retry: { maxAttempts: 1 } },
    }),
    { logger: false },
  );
  const calls = app.get(ToolCallFactory);
  const request = { hostname: 'acme.example.com', headers: { host: 'acme.example.com' } };
  for (const name of ['create_order', 'tenant']) {
    await (await calls.create(name, {}, { request })).response.execute();
  }
  await app.close();
  await new Promise((resolve) => server.close(resolve));
  expect([...new Set(names)]).toEqual(['localhost']);
});

it.each(['ftp://x', 'localhost:3000', 'https://user:pass@x/', 'https://x/?a=1', 'not a url', ''])(
  'the boot is stopped by %j as an address',
  async (baseUrl) => {
    await expect(
      NestFactory.createApplicationContext(agentModule({ path: false, dispatch: { baseUrl } }), {
        logger: false,
        abortOnError: false,
      }),
    ).rejects.toThrow('dispatch.baseUrl must be an http or https address');
  },
);

it('without HTTP and without an address, routes are skipped and the log says so', async () => {
  const lines: string[] = [];
  const app = await NestFactory.createApplicationContext(agentModule({ path: false }), {
    logger: {
      log: (message: unknown) => lines.push(String(message)),
      warn: () => undefined,
      error: () => undefined,
    },
  });
  expect(app.get(ToolRegistry).list()).toEqual([]);
  expect(lines).toContainEqual(expect.stringContaining('OrdersController.find'));
  await app.close();
});
