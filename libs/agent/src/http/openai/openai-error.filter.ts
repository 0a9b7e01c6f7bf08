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

/** Words what guards throw as OpenAI does, before the application's filters can. */
@Catch()
export class OpenAiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('AgentHttp');

  catch(error: unknown, host: ArgumentsHost): void {
    if (!(error instanceof HttpException)) logFailure(this.logger, error);
    const http = host.switchToHttp();
    const response: unknown = http.getResponse();
    // The answer is under way; an interceptor that failed beside it has nothing to add.
    if (isTaken(response)) return;
    const { status, headers, body } = openAiFailureOf(error);
    new TakenResponse(http.getRequest(), response).json(status, body, headers);
  }
}
