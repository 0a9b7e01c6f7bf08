import { Catch, Injectable, Logger } from '@nestjs/common';
import { ProtocolErrorFilter } from '../endpoint';
import { TakenResponse } from '../wire';
import { openAiFailureOf } from './openai-error';

/** Formats guards' errors as OpenAI does. */
@Catch()
@Injectable()
export class OpenAiErrorFilter extends ProtocolErrorFilter {
  protected readonly logger = new Logger('AgentHttp');

  protected answer(error: unknown, request: unknown, response: unknown): void {
    const { status, headers, body } = openAiFailureOf(error);
    new TakenResponse(request, response).json(status, body, headers);
  }
}
