import {
  Catch,
  HttpException,
  Injectable,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { filteredError } from '../../invocation';
import { logFailure } from '../errors';
import { isTaken, TakenResponse } from '../wire';
import { openAiFailureOf } from './openai-error';

/**
 * Formats guards' errors as OpenAI does. The application's filters are asked about an error that only
 * they have a status for.
 */
@Catch()
@Injectable()
export class OpenAiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('AgentHttp');

  constructor(private readonly config: ApplicationConfig) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const response: unknown = http.getResponse();
    const filters = isTaken(response) ? [] : this.config.getGlobalFilters();
    const error = await filteredError(thrown, filters, http.getRequest());
    if (!(error instanceof HttpException)) logFailure(this.logger, error);
    // The answer has begun; an error of an interceptor cannot change it.
    if (isTaken(response)) return;
    const { status, headers, body } = openAiFailureOf(error);
    new TakenResponse(http.getRequest(), response).json(status, body, headers);
  }
}
