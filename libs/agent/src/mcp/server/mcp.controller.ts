import {
  Delete,
  Get,
  Injectable,
  Patch,
  Post,
  Put,
  Controller,
  SetMetadata,
  UseFilters,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import { Endpoint, type Exchange } from '../../http/endpoint';
import { McpEndpoint } from './mcp.endpoint';
import { rpcFailure, unreadable } from './rpc-failure';
import { AGENT_ENDPOINT } from '../../discovery';
import { decorateController } from '../../http';
import { McpErrorFilter } from './mcp-error.filter';

const failureOf = (error: unknown): ReturnType<typeof rpcFailure> => rpcFailure(unreadable(error));

/** The routes of one server. */
@Injectable()
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  @Post()
  @Endpoint({ failureOf })
  post(exchange: Exchange): Promise<void> {
    return this.endpoint.post(exchange);
  }

  @Get()
  @Endpoint({ failureOf })
  get(exchange: Exchange): void {
    this.endpoint.get(exchange);
  }

  @Delete()
  @Endpoint({ failureOf })
  delete(exchange: Exchange): void {
    this.endpoint.notAllowed(exchange);
  }

  @Put()
  @Endpoint({ failureOf })
  put(exchange: Exchange): void {
    this.endpoint.notAllowed(exchange);
  }

  @Patch()
  @Endpoint({ failureOf })
  patch(exchange: Exchange): void {
    this.endpoint.notAllowed(exchange);
  }
}

/** The controller of one `forRoot`: a class of its own, with its own decorators. */
export function createMcpController(
  path: string,
  decorators: readonly ClassDecorator[],
): Type<unknown> {
  const controller = class extends McpController {};
  Object.defineProperty(controller, 'name', { value: 'AgentMcpController' });
  UseFilters(McpErrorFilter)(controller);
  Controller({ path, version: VERSION_NEUTRAL })(controller);
  SetMetadata(AGENT_ENDPOINT, true)(controller);
  decorateController(controller, decorators);
  return controller;
}
