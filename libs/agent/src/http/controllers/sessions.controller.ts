import { Delete, Get, Injectable, Post } from '@nestjs/common';
import { SessionService, ToolNotFoundError } from '../../run';
import { isToolName } from '../../tool';
import { DocumentedEndpoint, MessageDto, NewSessionDto, SessionDto } from '../answers';
import { readJsonBody } from '../body';
import { sessionIdOf } from '../caller';
import { type Exchange } from '../endpoint';
import { DEFAULT_LIMIT, endPageOf, MAX_LIMIT, pageOf } from '../wire';
import { EndpointServices } from './endpoint-services';

/** The caller's own sessions. */
@Injectable()
export class SessionsController {
  constructor(private readonly services: EndpointServices) {}

  @Get('sessions')
  @DocumentedEndpoint({
    summary: 'The sessions of the caller, the last used first',
    query: {
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      offset: { type: 'integer', minimum: 0, default: 0 },
    },
    answer: [SessionDto],
  })
  list({ request }: Exchange): ReturnType<SessionService['list']> {
    const { principal } = this.services.callers.resolve(request);
    return this.services.sessions.list(principal, pageOf(request));
  }

  @Post('sessions')
  @DocumentedEndpoint({
    summary: 'Creates an empty session, for clients that need its id before their first message',
    answer: NewSessionDto,
  })
  async create({ request }: Exchange): Promise<{ readonly sessionId: string }> {
    // No form of another site may create one.
    readJsonBody(request);
    const { sessionId } = await this.services.sessions.create(
      this.services.callers.resolve(request),
    );
    return { sessionId };
  }

  @Get('sessions/:id/messages')
  @DocumentedEndpoint({
    summary:
      'The messages of a session; with `limit` or `offset`, a page counted from the last one',
    params: { id: 'The session' },
    query: {
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
      offset: { type: 'integer', minimum: 0 },
    },
    answer: [MessageDto],
  })
  async messages({ request, params }: Exchange): ReturnType<SessionService['transcript']> {
    const page = endPageOf(request);
    const { sessions, callers } = this.services;
    return page(await sessions.transcript(sessionIdOf(params['id']), callers.resolve(request)));
  }

  @Delete('sessions/:id')
  @DocumentedEndpoint({
    summary: 'Removes a session and all that belongs to it',
    params: { id: 'The session' },
    status: 204,
  })
  async clear({ request, params, response }: Exchange): Promise<void> {
    const { principal } = this.services.callers.resolve(request);
    await this.services.sessions.clear(sessionIdOf(params['id']), principal);
    response.send(204);
  }

  @Delete('sessions/:id/permissions/:tool')
  @DocumentedEndpoint({
    summary: 'Revokes the permission of a tool to run without approval',
    params: { id: 'The session', tool: 'The name of the tool' },
    status: 204,
  })
  async revoke({ request, params, response }: Exchange): Promise<void> {
    const { id, tool = '' } = params;
    if (!isToolName(tool)) throw new ToolNotFoundError(tool);
    const { principal } = this.services.callers.resolve(request);
    await this.services.sessions.revoke(sessionIdOf(id), tool, principal);
    response.send(204);
  }
}
