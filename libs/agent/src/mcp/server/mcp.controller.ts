import { Delete, Get, Injectable, Patch, Post, Put } from '@nestjs/common';
import { Endpoint, type Exchange } from '../../http/endpoint';
import { McpEndpoint } from './mcp.endpoint';
import { rpcFailure, unreadable } from './rpc-failure';

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
