import { Get, Injectable } from '@nestjs/common';
import { DocumentedEndpoint, HealthDto } from '../answers';
import { type Exchange } from '../endpoint';
import { EndpointServices } from './endpoint-services';

const OFFLINE_NOTICE =
  'This is the offline model, a stand-in with no language model behind it. Set OPENAI_API_KEY for a real one.';

@Injectable()
export class HealthController {
  constructor(private readonly services: EndpointServices) {}

  @Get('health')
  @DocumentedEndpoint(
    { summary: 'Whether the agent is running, and its model', answer: HealthDto },
    { isPublic: true },
  )
  health({ response }: Exchange): void {
    const health = {
      ...this.services.health.read(),
      status: 'ok',
      model: this.services.model.name,
      timestamp: new Date().toISOString(),
      ...(this.services.model.capabilities.offline && { notice: OFFLINE_NOTICE }),
    };
    response.json(200, health, { 'cache-control': 'no-store' });
  }
}
