import {
  Catch,
  HttpException,
  Inject,
  Injectable,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { logFailure } from '../../http/errors';
import { bodyOf, isTaken, TakenResponse } from '../../http/wire';
import { filteredError } from '../../invocation';
import { challengeOf } from '../auth';
import { rpcIdOf } from '../protocol';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { refusalOf, rpcFailure } from './rpc-failure';

/**
 * Answers guards' errors as JSON-RPC, with the challenge that OAuth clients need. The application's
 * filters are asked about an error that only they have a status for.
 */
@Catch()
@Injectable()
export class McpErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('AgentMcp');

  constructor(
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
    private readonly config: ApplicationConfig,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request: unknown = http.getRequest();
    const response: unknown = http.getResponse();
    const filters = isTaken(response) ? [] : this.config.getGlobalFilters();
    const error = await filteredError(thrown, filters, request);
    const isTold = error instanceof HttpException;
    if (!isTold) logFailure(this.logger, error);
    // The answer has begun; an error of an interceptor cannot change it.
    if (isTaken(response)) return;
    const challenge = isTold ? challengeOf(error, this.settings.auth) : undefined;
    const { status, body } = rpcFailure(refusalOf(error), rpcIdOf(bodyOf(request)));
    const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
    new TakenResponse(request, response).json(status, body, headers);
  }
}
