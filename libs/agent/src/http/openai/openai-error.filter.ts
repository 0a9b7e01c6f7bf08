import {
  Catch,
  HttpException,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { logFailure } from '../errors';
import { isTaken, TakenResponse } from '../wire';
import { openAiFailureOf } from './openai-error';

/** Formats guards' errors as OpenAI does, before the application's filters run. */
@Catch()
export class OpenAiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('AgentHttp');

  catch(error: unknown, host: ArgumentsHost): void {
    if (!(error instanceof HttpException)) logFailure(this.logger, error);
    const http = host.switchToHttp();
    const response: unknown = http.getResponse();
    // The answer has begun; an error of an interceptor cannot change it.
    if (isTaken(response)) return;
    const { status, headers, body } = openAiFailureOf(error);
    new TakenResponse(http.getRequest(), response).json(status, body, headers);
  }
}
