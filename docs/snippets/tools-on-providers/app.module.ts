import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { Inventory } from './call-by-hand';
import { DeliveryTools } from './delivery.tools';
import { FaultyTools, GateTools } from './gate.tools';
import { HarbourPlugin } from './plugin.tools';
import { Advisor, RateTools } from './rates.tools';
import { RefundReview } from './refund.tools';
import { Redaction } from './redaction.interceptor';
import { StockService } from './stock.service';
import { StockTools } from './stock.tools';
import { TableAuditSink } from './table.audit-sink';
import { Warehouse } from './warehouse';

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region inject
      context: [new Warehouse()],
      presets: {
        send_letter: { sender: (ctx) => `${ctx.principal}@example.com` },
      },
      // #endregion inject
      // #region groups
      groups: [
        {
          name: 'purchasing',
          description: 'Prices and suppliers',
          active: false, // a new session starts without it
          selectable: true, // and the model may switch it on
        },
      ],
      // #endregion groups
      // #region around
      toolInterceptors: [Redaction],
      audit: { sink: TableAuditSink, values: true, redact: ['text'] },
      // #endregion around
    }),
  ],
  providers: [
    StockService,
    StockTools,
    DeliveryTools,
    GateTools,
    FaultyTools,
    RateTools,
    HarbourPlugin,
    RefundReview,
    Advisor,
    Inventory,
  ],
})
export class AppModule {}
