import { Delete, Get, HttpCode, Injectable, Param, Req } from '@nestjs/common';
import { SessionService, ToolNotFoundError } from '../../run';
import { isToolName } from '../../tool';
import { CallerResolver } from '../caller/caller.resolver';
import { sessionIdOf } from '../caller/identifiers';
import { Documented } from '../documented.decorator';
import { NeverCached } from '../never-cached.decorator';

/** As many as one answer lists; `SessionService` has them by pages. */
const MAX_LISTED = 1_000;

/** The caller's own sessions. */
@NeverCached()
@Injectable()
export class SessionsController {
  constructor(
    private readonly sessions: SessionService,
    private readonly callers: CallerResolver,
  ) {}

  @Get('sessions')
  @Documented({ summary: 'The sessions of the caller, the last used first' })
  list(@Req() request: unknown): ReturnType<SessionService['list']> {
    return this.sessions.list(this.callers.resolve(request).principal, { limit: MAX_LISTED });
  }

  @Get('sessions/:id/messages')
  @Documented({ summary: 'The messages of a session' })
  messages(
    @Param('id') id: string,
    @Req() request: unknown,
  ): ReturnType<SessionService['messages']> {
    return this.sessions.messages(sessionIdOf(id), this.callers.resolve(request).principal);
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @Documented({ summary: 'Removes a session and all that belongs to it' })
  async clear(@Param('id') id: string, @Req() request: unknown): Promise<void> {
    await this.sessions.clear(sessionIdOf(id), this.callers.resolve(request).principal);
  }

  @Delete('sessions/:id/permissions/:tool')
  @HttpCode(204)
  @Documented({ summary: 'Takes back that a tool may run without being asked about' })
  async revoke(
    @Param('id') id: string,
    @Param('tool') tool: string,
    @Req() request: unknown,
  ): Promise<void> {
    if (!isToolName(tool)) throw new ToolNotFoundError(tool);
    const { principal } = this.callers.resolve(request);
    await this.sessions.revoke(sessionIdOf(id), tool, principal);
  }
}
