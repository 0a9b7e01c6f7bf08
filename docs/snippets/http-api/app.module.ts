import {
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  UseGuards,
} from '@nestjs/common';
import { AgentModule, Tool, ToolEmitter } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { AssistantController } from './assistant.controller';
import { ToolNamesModule } from './tool-names.controller';

@Controller('orders')
@UseGuards(HeaderGuard)
export class OrdersController {
  @Tool({ name: 'get_order', description: 'Look an order up' })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number): object {
    return { id, status: 'open' };
  }

  @Tool({ name: 'cancel_order', description: 'Cancel an order' })
  @Delete(':id')
  cancel(@Param('id', ParseIntPipe) id: number): object {
    return { id, status: 'cancelled' };
  }
}

@Injectable()
export class StockTools {
  @Tool({ description: 'Count the stock', readOnly: true })
  count_stock(emitter: ToolEmitter): number {
    emitter.emit({ done: 1, of: 2 });
    return 12;
  }
}

@Module({
  imports: [
    ToolNamesModule,
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region disconnect
      onDisconnect: 'continue', // 'cancel' by default
      // #endregion disconnect
      // #region limits
      limits: { messageChars: 8_000, bodyBytes: 262_144, runsPerPrincipal: 2 },
      // #endregion limits
    }),
  ],
  controllers: [OrdersController, AssistantController],
  providers: [StockTools],
})
export class AppModule {}
