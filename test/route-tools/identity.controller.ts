import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Headers,
  Inject,
  Injectable,
  Param,
  Post,
  Req,
  Scope,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Tool, ToolCallFactory } from 'nestjs-agent';

interface SeenRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly ip?: string;
  readonly protocol?: string;
  readonly hostname?: string;
  readonly secure?: boolean;
  readonly socket?: {
    readonly encrypted?: boolean;
    readonly localAddress?: string;
    readonly localPort?: number;
    getProtocol?(): string | null;
  };
  readonly raw?: SeenRequest;
  user?: string;
}

/** Filled by whoever calls a tool; no handler may see it. */
export const callerStore = new AsyncLocalStorage<string>();

/** Whose data `my_tenant` read, call by call. */
const tenantCalls: string[] = [];

/** Logs in whoever has a token, as a real guard does from its signature. */
@Injectable()
export class TokenGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SeenRequest>();
    const token = request.headers.authorization?.replace('Bearer ', '');
    if (!token) throw new UnauthorizedException();
    await new Promise(setImmediate);
    request.user = token;
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
export class RequestUser {
  constructor(@Inject(REQUEST) private readonly request: SeenRequest) {}

  get name(): string | undefined {
    return this.request.user;
  }
}

@Controller('identity')
export class IdentityController {
  constructor(private readonly user: RequestUser) {}

  @Tool({ name: 'who_am_i', description: 'Who the caller is' })
  @UseGuards(TokenGuard)
  @Get('me/:nonce')
  async me(@Req() request: SeenRequest, @Param('nonce') nonce: string) {
    await new Promise(setImmediate);
    return { guard: request.user, provider: this.user.name, nonce };
  }

  @Tool({ name: 'show_request', description: 'What the request looks like' })
  @Get('request')
  show(@Req() { headers, ip, protocol, hostname, secure, socket }: SeenRequest) {
    const connection = {
      isEncrypted: socket?.encrypted ?? false,
      tls: socket?.getProtocol?.() ?? null,
      local: [socket?.localAddress, socket?.localPort],
    };
    return { headers, ip, protocol, hostname, secure, connection };
  }

  @Tool({ name: 'my_tenant', description: 'Whose data the caller sees', cacheTtlMs: 60_000 })
  @UseGuards(TokenGuard)
  @Get('tenant')
  tenant(@Headers('x-tenant') tenant: string) {
    tenantCalls.push(tenant);
    return { tenant, call: tenantCalls.length };
  }

  @Tool({ name: 'show_context', description: 'What stands in the async context' })
  @Get('context')
  async showContext() {
    await new Promise(setImmediate);
    return { caller: callerStore.getStore() ?? null };
  }
}

/** Stands for the chat endpoint: calls a tool for whoever calls it. */
@Controller('relay')
export class RelayController {
  constructor(private readonly calls: ToolCallFactory) {}

  @Post('who/:nonce')
  who(@Req() request: SeenRequest, @Param('nonce') nonce: string) {
    return this.relay('who_am_i', { nonce }, request);
  }

  @Post('request')
  request(@Req() request: SeenRequest) {
    return this.relay('show_request', {}, request);
  }

  @Tool({ name: 'again', description: 'Calls itself through the agent' })
  @Get('again')
  again(@Req() request: SeenRequest, @Headers('x-agent-depth') depth: string | undefined) {
    return this.relay('again', {}, request).then((inner) => ({ depth: depth ?? 'none', inner }));
  }

  @Tool({ name: 'alone', description: 'Calls itself without its request' })
  @Get('alone')
  async alone(@Headers('x-agent-depth') depth: string | undefined) {
    await new Promise(setImmediate);
    return { depth: depth ?? 'none', inner: await this.relay('alone', {}) };
  }

  private async relay(name: string, input: Record<string, string>, request?: SeenRequest) {
    const { response } = await this.calls.create(name, input, { ...(request && { request }) });
    await response.execute();
    return response.result ?? { error: response.error?.message };
  }
}
