import { Controller, Get, Header } from '@nestjs/common';
import { Metrics } from './metrics';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', 'text/plain')
  text(): string {
    return this.metrics.text();
  }
}
