import { Controller, Get, Injectable, Module, UseGuards } from '@nestjs/common';
import { AgentModule, offline, Tool, ToolParam } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';

@Controller('orders')
export class OrdersController {
  @Tool({ name: 'list_orders', description: 'The orders of the shop' })
  @Get()
  list(): readonly object[] {
    return [{ id: 7, status: 'sent' }];
  }
}

@Injectable()
export class StockTools {
  @Tool({ description: 'Take a book off the shelves', destructive: true })
  remove_book(@ToolParam('title', { description: 'Its title' }) title: string): string {
    return `removed ${title}`;
  }

  @Tool({ description: 'Close the shop', visible: ({ principal }) => principal === 'ada' })
  close_shop(): string {
    return 'closed';
  }
}

@Module({
  imports: [
    AgentModule.forRoot({
      model: offline(),
      decorators: [UseGuards(HeaderGuard)],
      // #region workbench
      workbench: {
        when: 'development', // unless NODE_ENV is production
        all: ({ principal }) => principal === 'ada', // who sees all tools, hidden ones too
        evals: 'agent.evals.json', // the cases of the tab Evaluate
      },
      // #endregion workbench
    }),
  ],
  controllers: [OrdersController],
  providers: [StockTools],
})
export class AppModule {}
