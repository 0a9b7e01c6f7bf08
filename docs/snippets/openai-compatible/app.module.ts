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
import { AgentModule, offline, Tool, ToolParam } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';

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
export class NoteTools {
  @Tool({ description: 'Write a note down' })
  add_note(@ToolParam('text') text: string): string {
    return `Noted: ${text}`;
  }
}

@Module({
  imports: [
    AgentModule.forRoot({
      // #region name
      name: 'shop-agent',
      // #endregion name
      models: { careful: offline() },
      decorators: [UseGuards(HeaderGuard)],
    }),
  ],
  controllers: [OrdersController],
  providers: [NoteTools],
})
export class AppModule {}
