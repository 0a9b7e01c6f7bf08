import { Get, Injectable, Inject } from '@nestjs/common';
import { AgentService, OWN_AGENT } from '../../run';
import { Documented, ToolDetailDto, ToolSummaryDto } from '../answers';
import { CallerResolver } from '../caller';
import { Endpoint, type Exchange } from '../endpoint';

/** The tools that the caller may use. */
@Injectable()
export class ToolsController {
  constructor(
    @Inject(OWN_AGENT) private readonly agent: AgentService,
    private readonly callers: CallerResolver,
  ) {}

  @Get('tools')
  @Documented({ summary: 'The tools that the caller may use, in short', answer: [ToolSummaryDto] })
  @Endpoint()
  list({ request }: Exchange): ReturnType<AgentService['tools']> {
    return this.agent.tools(this.callers.resolve(request));
  }

  @Get('tools/:name')
  @Documented({
    summary: 'One tool in full, with an example request and response',
    params: { name: 'The name of the tool' },
    answer: ToolDetailDto,
  })
  @Endpoint()
  detail({ request, params }: Exchange): ReturnType<AgentService['tool']> {
    return this.agent.tool(params['name'] ?? '', this.callers.resolve(request));
  }
}
