import { Catch, Inject, Injectable, Logger } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { ProtocolErrorFilter } from '../../http/endpoint';
import { bodyOf, headerOf, TakenResponse } from '../../http/wire';
import { challengeHeader } from '../auth';
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
    const headers = challengeHeader(error, hasToken, this.settings.auth);
    const { status, body } = rpcFailure(refusalOf(error), rpcIdOf(bodyOf(request)));
    new TakenResponse(request, response).json(status, body, headers);
  }
}
