import type { IncomingHttpHeaders } from 'node:http';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { AppModule } from './app.module';

// #region headers
interface McpRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body?: {
    readonly method?: string;
    readonly params?: { name?: string; uri?: string; _meta?: Record<string, unknown> };
  };
}

/** Sets the headers that repeat the body, for hosts that send those of an older revision. */
function headersOfBody({ headers, body }: McpRequest, _response: unknown, next: () => void): void {
  const { method, params = {} } = body ?? {};
  const version = params._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (typeof version === 'string') {
    headers['mcp-protocol-version'] = version;
    headers['mcp-method'] = method;
    headers['mcp-name'] = params.name ?? params.uri;
  }
  next();
}

@Module({ imports: [AppModule] })
export class HostsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(headersOfBody).forRoutes('mcp');
  }
}
// #endregion headers
