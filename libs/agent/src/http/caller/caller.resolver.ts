import { Inject, Injectable } from '@nestjs/common';
import { HTTP_OPTIONS, SESSION_HEADER } from '../http.constants';
import type { AgentHttpOptions } from '../http-options.interface';
import { headerOf } from '../wire';
import { checkPrincipal } from './principal';

/** On whose behalf a request comes. */
export interface Caller {
  /** Who is logged in; missing for nobody. */
  readonly principal?: string;
  /** What guards, pipes and routes see of it. */
  readonly request: unknown;
}

/** A caller, with the session that the request shows where nobody is logged in. */
interface CallerClaim extends Caller {
  readonly sessionId?: string;
}

/**
 * Tells on whose behalf a request comes, by the module's `principal` option. What it answers is what
 * `AgentService` and `ToolCallFactory` take.
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
   * @param request the framework's, behind its guards
   * @throws UnknownPrincipalError where somebody is logged in who cannot be named
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
