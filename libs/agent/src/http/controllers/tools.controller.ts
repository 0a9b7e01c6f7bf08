import { Get, Injectable, Param, Req } from '@nestjs/common';
import { AgentService } from '../../run';
import { CallerResolver } from '../caller/caller.resolver';
import { Documented } from '../documented.decorator';
import { NeverCached } from '../never-cached.decorator';

/** The tools that the caller may use. */
@NeverCached()
@Injectable()
export class ToolsController {
  constructor(
    private readonly agent: AgentService,
    private readonly callers: CallerResolver,
  ) {}

  @Get('tools')
  @Documented({ summary: 'The tools that the caller may use, in short' })
  list(@Req() request: unknown): ReturnType<AgentService['tools']> {
    return this.agent.tools(this.callers.resolve(request));
  }

  @Get('tools/:name')
  @Documented({ summary: 'One tool in full, with an example request and response' })
  detail(@Param('name') name: string, @Req() request: unknown): ReturnType<AgentService['tool']> {
    return this.agent.tool(name, this.callers.resolve(request));
  }
}
