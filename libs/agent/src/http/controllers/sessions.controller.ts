import { Delete, Get, Injectable } from '@nestjs/common';
import { SessionService, ToolNotFoundError } from '../../run';
import { isToolName } from '../../tool';
import { MessageDto, SessionDto } from '../answers/session.dto';
import { CallerResolver } from '../caller/caller.resolver';
import { sessionIdOf } from '../caller/identifiers';
import { Documented } from '../documentation/documented.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import type { Exchange } from '../endpoint/exchange';

/** As many as one answer lists; `SessionService` has them by pages. */
const MAX_LISTED = 1_000;

/** The caller's own sessions. */
@Injectable()
export class SessionsController {
  constructor(
    private readonly sessions: SessionService,
    private readonly callers: CallerResolver,
  ) {}

  @Get('sessions')
  @Documented({ summary: 'The sessions of the caller, the last used first', answer: [SessionDto] })
  @Endpoint()
  list({ request }: Exchange): ReturnType<SessionService['list']> {
    return this.sessions.list(this.callers.resolve(request).principal, { limit: MAX_LISTED });
  }

  @Get('sessions/:id/messages')
  @Documented({
    summary: 'The messages of a session',
    params: { id: 'The session' },
    answer: [MessageDto],
  })
  @Endpoint()
  messages({ request, params }: Exchange): ReturnType<SessionService['transcript']> {
    const { principal } = this.callers.resolve(request);
    const claim = principal === undefined ? {} : { principal };
    return this.sessions.transcript(sessionIdOf(params['id']), claim);
  }

  @Delete('sessions/:id')
  @Documented({
    summary: 'Removes a session and all that belongs to it',
    params: { id: 'The session' },
    status: 204,
  })
  @Endpoint()
  async clear({ request, params, response }: Exchange): Promise<void> {
    const { principal } = this.callers.resolve(request);
    await this.sessions.clear(sessionIdOf(params['id']), principal);
    response.send(204);
  }

  @Delete('sessions/:id/permissions/:tool')
  @Documented({
    summary: 'Takes back that a tool may run without being asked about',
    params: { id: 'The session', tool: 'The name of the tool' },
    status: 204,
  })
  @Endpoint()
  async revoke({ request, params, response }: Exchange): Promise<void> {
    const { id, tool = '' } = params;
    if (!isToolName(tool)) throw new ToolNotFoundError(tool);
    const { principal } = this.callers.resolve(request);
    await this.sessions.revoke(sessionIdOf(id), tool, principal);
    response.send(204);
  }
}
