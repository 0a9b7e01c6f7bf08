import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  UseGuards,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { AgentModule, Tool } from 'nestjs-agent';
import {
  InsufficientScopeException,
  McpPrompt,
  McpResource,
  McpServerModule,
  type McpServerModuleOptions,
} from 'nestjs-agent/mcp';
import { ADAPTERS, type AdapterName } from './http/agent-app';
import { RpcClient } from './mcp/server/rpc-client';

const RESOURCE = 'https://shop.example/mcp';
const ISSUER = 'https://login.example';
const AUTH = { resource: RESOURCE, authorizationServers: [ISSUER] };
const METADATA = 'https://shop.example/.well-known/oauth-protected-resource/mcp';

type Headers = Readonly<Record<string, string | undefined>>;

/** As one of a REST API: the scopes are the words of the token. */
@Injectable()
class WriteGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Headers }>();
    if (headers['authorization']?.includes('orders:write')) return true;
    throw new InsufficientScopeException(['orders:read', 'orders:write']);
  }
}

@Controller('orders')
class OrdersController {
  @Tool({ description: 'Place an order', name: 'place_order', permission: 'allow' })
  @Post()
  @UseGuards(WriteGuard)
  place(): string {
    return 'placed';
  }

  @Tool({ description: 'Pay an order', name: 'pay_order', permission: 'ask' })
  @Post('payments')
  @UseGuards(WriteGuard)
  pay(): string {
    return 'paid';
  }

  @McpResource({ uri: 'orders://{id}' })
  @Get(':id')
  @UseGuards(WriteGuard)
  find(@Param('id') id: string): string {
    return `order ${id}`;
  }
}

@Injectable()
class OrderTools {
  @Tool({ description: 'Cancel an order', readOnly: true })
  @UseGuards(WriteGuard)
  cancel(): string {
    return 'cancelled';
  }

  @McpPrompt({ description: 'Plan' })
  @UseGuards(WriteGuard)
  plan(): string {
    return 'Plan it.';
  }
}

const REQUESTS: readonly (readonly [method: string, params: object])[] = [
  ['tools/call', { name: 'place_order', arguments: {} }],
  ['tools/call', { name: 'cancel', arguments: {} }],
  ['resources/read', { uri: 'orders://7' }],
  ['prompts/get', { name: 'plan' }],
];

describe.each(ADAPTERS)('a guard of a tool that misses a scope, on %s', (adapter) => {
  const apps: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  const started = async (server: McpServerModuleOptions) => {
    @Module({
      imports: [AgentModule.forRoot({ path: false }), McpServerModule.forRoot(server)],
      controllers: [OrdersController],
      providers: [OrderTools],
    })
    class ShopModule {}
    const module = await Test.createTestingModule({ imports: [ShopModule] }).compile();
    const app = module.createNestApplication(...adapterOf(adapter), { logger: false });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return await app.getUrl();
  };
  const as = (scopes: string) => ({ headers: { authorization: `Bearer ${scopes}` } });

  it.each(REQUESTS)('has its scopes in the challenge of %s %j', async (method, params) => {
    const client = new RpcClient(`${await started({ auth: AUTH })}/mcp`);
    for (const era of ['modern', 'legacy'] as const) {
      const poor = await client[era](method, params, as('orders:read'));
      expect([poor.status, poor.headers.get('www-authenticate')]).toEqual([
        403,
        `Bearer resource_metadata="${METADATA}", error="insufficient_scope", scope="orders:read orders:write"`,
      ]);
      expect(poor.error?.message).toBe('The token lacks a scope: orders:read orders:write.');
      const rich = await client[era](method, params, as('orders:read orders:write'));
      expect([rich.status, rich.result?.['isError']]).toEqual([200, undefined]);
    }
  });

  it('is an error of the tool where the server names no log-in', async () => {
    const client = new RpcClient(`${await started({})}/mcp`);
    for (const name of ['place_order', 'cancel']) {
      const { status, result } = await client.modern(
        'tools/call',
        { name, arguments: {} },
        as('orders:read'),
      );
      expect([status, result?.['isError']]).toEqual([200, true]);
      expect(JSON.stringify(result)).toContain('lacks a scope: orders:read orders:write');
    }
  });

  it('uses up the approval of the call', async () => {
    const client = new RpcClient(`${await started({ auth: AUTH })}/mcp`);
    const params = { name: 'pay_order', arguments: {} };
    const asked = await client.modern('tools/call', params, as('orders:read'));
    const requestState: unknown = asked.result?.['requestState'];
    const [id = ''] = Object.keys(asked.result?.['inputRequests'] as object);
    const inputResponses = { [id]: { action: 'accept', content: { approve: true } } };
    const approved = { ...params, requestState, inputResponses };
    const poor = await client.modern('tools/call', approved, as('orders:read'));
    expect(poor.status).toBe(403);
    const again = await client.modern('tools/call', approved, as('orders:write'));
    expect(again.error?.code).toBe(-32_602);
    const anew = await client.modern('tools/call', params, as('orders:write'));
    expect(anew.result).toMatchObject({ resultType: 'input_required' });
  });

  it('makes the official client ask its user for them', async () => {
    const url = await started({ auth: AUTH });
    const asked: URL[] = [];
    const transport = new StreamableHTTPClientTransport(new URL(RESOURCE), {
      authProvider: hostOf((address) => asked.push(address)),
      fetch: (address, init) => reached(String(address), url, init),
    });
    const client = new Client({ name: 'host', version: '1.0.0' });
    await client.connect(transport);
    const call = client.callTool({ name: 'place_order', arguments: {} });
    await expect(call).rejects.toThrow(UnauthorizedError);
    expect(asked.map(({ searchParams }) => searchParams.get('scope'))).toEqual([
      'orders:read orders:write',
    ]);
    await client.close();
  });
});

function adapterOf(name: AdapterName): [] {
  return (name === 'fastify' ? [new FastifyAdapter()] : []) as [];
}

/** A host whose user has logged in, with too few scopes. */
function hostOf(ask: (address: URL) => void): OAuthClientProvider {
  return {
    redirectUrl: 'http://127.0.0.1/callback',
    clientMetadata: { client_name: 'host', redirect_uris: ['http://127.0.0.1/callback'] },
    clientInformation: () => ({ client_id: 'host', issuer: ISSUER }),
    tokens: () => ({ access_token: 'orders:read', token_type: 'Bearer', issuer: ISSUER }),
    saveTokens: () => undefined,
    redirectToAuthorization: ask,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
  };
}

/** The server under its public address, and its authorization server's metadata. */
async function reached(address: string, url: string, init?: RequestInit): Promise<Response> {
  if (address.startsWith('https://shop.example')) {
    return fetch(address.replace('https://shop.example', url), init);
  }
  return Response.json({
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
}
