import {
  Catch,
  HttpException,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { logFailure } from '../errors/log-failure';
import { isTaken, TakenResponse } from '../wire/taken-response';
import { openAiError, openAiErrorOf } from './openai-error';

/** Words what guards and interceptors throw as OpenAI does, before the application's filters can. */
@Catch()
export class OpenAiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('AgentHttp');

  catch(error: unknown, host: ArgumentsHost): void {
    if (!(error instanceof HttpException)) logFailure(this.logger, error);
    const response: unknown = host.switchToHttp().getResponse();
    // The answer is under way; whoever failed beside it has nothing to add.
    if (isTaken(response)) return;
    const { status, body } = openAiErrorOf(error);
    new TakenResponse(response).json(status, openAiError(body));
  }
}
