import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { CatsController } from './cats.controller';
import { EchoController } from './echo.controller';
import { InvoicesController, PaymentsController } from './invoices.controller';
import { OrdersController } from './orders.controller';

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region forward
      forwardHeaders: ['x-tenant', /^x-feature-/],
      // #endregion forward
      // #region expose
      exposeControllers: [
        PaymentsController, // all its routes that read
        {
          controller: InvoicesController,
          routes: 'all', // those that write as well, which ask first
          tools: { findAll: { name: 'list_invoices', description: 'List the invoices of a year' } },
        },
      ],
      // #endregion expose
    }),
  ],
  controllers: [
    CatsController,
    OrdersController,
    EchoController,
    InvoicesController,
    PaymentsController,
  ],
})
export class AppModule {}
