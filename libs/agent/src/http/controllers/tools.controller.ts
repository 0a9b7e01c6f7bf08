import { Get, Injectable } from '@nestjs/common';
import { AgentService } from '../../run';
import { DocumentedEndpoint, ToolDetailDto, ToolSummaryDto } from '../answers';
import { type Exchange } from '../endpoint';
import { EndpointServices } from './endpoint-services';

/** The tools that the caller may use. */
@Injectable()
export class ToolsController {
  constructor(private readonly services: EndpointServices) {}

  @Get('tools')
  @DocumentedEndpoint({
    summary: 'The tools that the caller may use, in short',
    answer: [ToolSummaryDto],
  })
  list({ request }: Exchange): ReturnType<AgentService['tools']> {
    return this.services.agent.tools(this.services.callers.resolve(request));
  }

  @Get('tools/:name')
  @DocumentedEndpoint({
    summary: 'One tool in full, with an example request and response',
    params: { name: 'The name of the tool' },
    answer: ToolDetailDto,
  })
  detail({ request, params }: Exchange): ReturnType<AgentService['tool']> {
    return this.services.agent.tool(params['name'] ?? '', this.services.callers.resolve(request));
  }
}
