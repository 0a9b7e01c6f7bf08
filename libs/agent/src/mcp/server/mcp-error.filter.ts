import { Catch, HttpException, Inject, Injectable, Logger } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { ProtocolErrorFilter } from '../../http/endpoint';
import { bodyOf, headerOf, TakenResponse } from '../../http/wire';
import { challengeOf } from '../auth';
import { rpcIdOf } from '../protocol';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { refusalOf, rpcFailure } from './rpc-failure';

/** Answers guards' errors as JSON-RPC, with the challenge that OAuth clients need. */
@Catch()
@Injectable()
export class McpErrorFilter extends ProtocolErrorFilter {
  protected override readonly logger = new Logger('AgentMcp');

  constructor(
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
    config: ApplicationConfig,
  ) {
    super(config);
  }

  protected answer(error: unknown, request: unknown, response: unknown): void {
    const hasToken = /^Bearer ./i.test(headerOf(request, 'authorization') ?? '');
    const challenge =
      error instanceof HttpException ? challengeOf(error, hasToken, this.settings.auth) : undefined;
    const { status, body } = rpcFailure(refusalOf(error), rpcIdOf(bodyOf(request)));
    const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
    new TakenResponse(request, response).json(status, body, headers);
  }
}
