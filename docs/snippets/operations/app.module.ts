import { Module, UseGuards } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { AgentModule, openai } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { OrdersController } from '../start/orders.controller';
import { OrdersService } from '../start/orders.service';
import { measured } from './measured.model';
import { Metrics } from './metrics';
import { MetricsModule } from './metrics.module';
import { MetricsSink } from './metrics.sink';
import { ReadinessController } from './readiness.controller';
import { UserThrottlerGuard } from './user-throttler.guard';

@Module({
  imports: [
    // #region agent
    AgentModule.forRootAsync({
      imports: [MetricsModule, ThrottlerModule.forRoot([{ ttl: 60_000, limit: 20 }])],
      decorators: [UseGuards(HeaderGuard, UserThrottlerGuard)], // in this order
      inject: [Metrics],
      useFactory: (metrics: Metrics) => ({
        model: measured(openai(), metrics),
        audit: { sink: new MetricsSink(metrics), values: true, redact: ['iban'] },
        limits: { runsPerPrincipal: 2, messageChars: 4_000 },
        budget: { totalTokens: 200_000, toolCalls: 20, durationMs: 120_000 },
      }),
    }),
    // #endregion agent
    MetricsModule,
  ],
  controllers: [OrdersController, ReadinessController],
  providers: [OrdersService],
})
export class AppModule {}
