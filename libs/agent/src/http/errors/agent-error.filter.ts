import { Catch, type ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { DetachedResponse } from '../../invocation';
import { AgentError } from '../../tool';
import { httpExceptionOf, type RequestException } from './error-status';
import { logInternal } from './log-failure';

/**
 * Answers the library's errors from an application's own endpoints as the agent's endpoints do: the
 * matching status, Nest's envelope with the stable `code`, and `Retry-After` if there is one.
 * Internal details go to the log. Set it on a controller, or globally; errors of tools reach the
 * model unchanged.
 *
 * @example
 * \@Controller('assistant')
 * \@UseFilters(AgentErrorFilter)
 * export class AssistantController {
 *   constructor(private readonly agent: AgentService) {}
 *
 *   \@Post()
 *   ask(\@Body('question') message: string): Promise<ChatResult> {
 *     return this.agent.chat({ message }); // too long a question is 400 `invalid_input`
 *   }
 * }
 */
@Catch(AgentError)
export class AgentErrorFilter extends BaseExceptionFilter<AgentError> {
  /** Called by Nest. */
  override catch(error: AgentError, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const response = host.switchToHttp().getResponse<object>();
    // The error is from a tool, not from a client's request.
    if (response instanceof DetachedResponse) throw error;
    logInternal(error);
    const exception = httpExceptionOf(error);
    const adapter = this.applicationRef ?? this.httpAdapterHost?.httpAdapter;
    const { retryAfter } = exception as Partial<RequestException>;
    if (retryAfter !== undefined && adapter?.isHeadersSent?.(response) !== true) {
      adapter?.setHeader?.(response, 'Retry-After', retryAfter);
    }
    // Nest's own way to answer: it checks whether headers were already sent.
    super.catch(exception as never, host);
  }
}
