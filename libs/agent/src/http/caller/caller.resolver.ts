import { Inject, Injectable } from '@nestjs/common';
import { type AgentHttpOptions, HTTP_OPTIONS, SESSION_HEADER } from '../options';
import { headerOf } from '../wire';
import { checkPrincipal } from './principal';

/** The caller of a request. */
export interface Caller {
  /** The logged-in user; missing for anonymous callers. */
  readonly principal?: string;
  /** The request as guards, pipes and routes see it. */
  readonly request: unknown;
}

/** A caller, with the session that an anonymous request presents. */
interface CallerClaim extends Caller {
  readonly sessionId?: string;
}

/**
 * Resolves the caller of a request with the module's `principal` option. `AgentService` and
 * `ToolCallFactory` accept the result.
 *
 * @example
 * import { CallerResolver } from 'nestjs-agent/endpoints';
 *
 * \@Injectable()
 * export class NotesController {
 *   constructor(
 *     private readonly agent: AgentService,
 *     private readonly callers: CallerResolver,
 *   ) {}
 *
 *   tools(request: unknown) {
 *     return this.agent.tools(this.callers.resolve(request));
 *   }
 * }
 */
@Injectable()
export class CallerResolver {
  /** @internal */
  constructor(@Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions) {}

  /**
   * The caller of a request.
   *
   * @param request the framework's request, after its guards
   * @throws UnknownPrincipalError if a user is logged in but has no usable id
   */
  resolve(request: unknown): Caller {
    const principal = checkPrincipal(this.options.principal(request as never));
    return { request, ...(principal !== undefined && { principal }) };
  }

  /** As `resolve`, with the session of the `X-Agent-Session` header. @internal */
  claim(request: unknown): CallerClaim {
    const sessionId = headerOf(request, SESSION_HEADER);
    return { ...this.resolve(request), ...(sessionId !== undefined && { sessionId }) };
  }
}
