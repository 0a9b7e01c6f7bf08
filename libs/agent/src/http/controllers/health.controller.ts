import { Get, Injectable } from '@nestjs/common';
import { Documented, HealthDto } from '../answers';
import { Endpoint, type Exchange } from '../endpoint';
import { type ReportedStates } from '../health-report';
import { EndpointServices } from './endpoint-services';

/** The body of `GET /health`. */
export interface Health {
  /** The agent is running. */
  readonly status: 'ok';
  /** The model's name. */
  readonly model: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Set if the model is a stand-in. */
  readonly notice?: string;
  /** The states of the MCP servers, by name; missing without any. */
  readonly mcp?: ReportedStates;
}

const OFFLINE_NOTICE =
  'This is the offline model, a stand-in with no language model behind it. Set OPENAI_API_KEY for a real one.';

@Injectable()
export class HealthController {
  constructor(private readonly services: EndpointServices) {}

  @Get('health')
  @Documented({
    summary: 'Whether the agent is running, and its model',
    answer: HealthDto,
  })
  @Endpoint({ isPublic: true })
  health({ response }: Exchange): void {
    const health: Health = {
      ...this.services.health.read(),
      status: 'ok',
      model: this.services.model.name,
      timestamp: new Date().toISOString(),
      ...(this.services.model.capabilities.offline && { notice: OFFLINE_NOTICE }),
    };
    response.json(200, health, { 'cache-control': 'no-store' });
  }
}
