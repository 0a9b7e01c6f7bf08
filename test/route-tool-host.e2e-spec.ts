import { Controller, Get, Headers, Inject, Injectable, Req, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Tool } from 'nestjs-agent';
import request from 'supertest';
import { RelayController } from './route-tools/identity.controller';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

interface SeenRequest {
  readonly hostname: string;
}

/** Finds the tenant by the subdomain, as applications do that have one for each. */
@Injectable({ scope: Scope.REQUEST })
class Tenant {
  readonly name: string | undefined;
  constructor(@Inject(REQUEST) { hostname }: SeenRequest) {
    this.name = hostname.split('.')[0];
  }
}

@Controller('tenant')
class TenantController {
  constructor(private readonly tenant: Tenant) {}

  @Tool({ name: 'show_request', description: 'Whose tenant it is' })
  @Get()
  show(@Req() { hostname }: SeenRequest, @Headers('host') host: string) {
    return { tenant: this.tenant.name, hostname, host };
  }

  @Tool({ name: 'admin', description: 'The same' })
  @Get('admin')
  admin(): string | undefined {
    return this.tenant.name;
  }
}

async function start(adapter: AdapterName, forwardHeaders: readonly (string | RegExp)[]) {
  const tools = await RouteToolApplication.start({
    adapter,
    controllers: [TenantController, RelayController],
    providers: [Tenant],
    options: { forwardHeaders },
  });
  if (adapter === 'fastify') await tools.app.getHttpAdapter().getInstance().ready();
  const shown = async (host: string): Promise<unknown> => {
    const server = tools.app.getHttpServer() as Parameters<typeof request>[0];
    return (await request(server).post('/relay/request').set({ host }).send({})).body;
  };
  return { tools, shown };
}

describe.each<AdapterName>(['express', 'fastify'])('the host of a route call on %s', (adapter) => {
  it('is the caller’s where it is listed', async () => {
    const { tools, shown } = await start(adapter, ['Host']);
    const acme = 'acme.example.com';
    expect(await shown(acme)).toEqual({ tenant: 'acme', hostname: acme, host: acme });
    expect(await shown(`${acme}:8443`)).toEqual({ tenant: 'acme', hostname: acme, host: acme });
    const calls = ['evil.test/a', 'a b', 'a\r\nx-user: root', ''].map((hostname) =>
      tools.result('admin', {}, { hostname, headers: { host: hostname } }),
    );
    expect(await Promise.all(calls)).toEqual(calls.map(() => 'localhost'));
    await tools.close();
  });

  it('is no host where a pattern matches the header', async () => {
    const { tools, shown } = await start(adapter, [/./]);
    expect(await shown('acme.example.com')).toMatchObject({ tenant: 'localhost' });
    await tools.close();
  });
});
