import { Get, Injectable } from '@nestjs/common';
import { AgentService } from '../../run';
import { Documented, ToolDetailDto, ToolSummaryDto } from '../answers';
import { Endpoint, type Exchange } from '../endpoint';
import { EndpointServices } from './endpoint-services';

/** The tools that the caller may use. */
@Injectable()
export class ToolsController {
  constructor(private readonly services: EndpointServices) {}

  @Get('tools')
  @Documented({ summary: 'The tools that the caller may use, in short', answer: [ToolSummaryDto] })
  @Endpoint()
  list({ request }: Exchange): ReturnType<AgentService['tools']> {
    return this.services.agent.tools(this.services.callers.resolve(request));
  }

  @Get('tools/:name')
  @Documented({
    summary: 'One tool in full, with an example request and response',
    params: { name: 'The name of the tool' },
    answer: ToolDetailDto,
  })
  @Endpoint()
  detail({ request, params }: Exchange): ReturnType<AgentService['tool']> {
    return this.services.agent.tool(params['name'] ?? '', this.services.callers.resolve(request));
  }
}
