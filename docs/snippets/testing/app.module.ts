import {
  Controller,
  Delete,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Req,
  UseGuards,
} from '@nestjs/common';
import { Min } from 'class-validator';
import { AgentModule, openai, Tool } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { HeaderGuard, type RequestOfUser } from '../start/header.guard';

const OWNERS = new Map([
  [17, 'ada'],
  [18, 'grace'],
]);

// #region tools
@Controller('orders')
@UseGuards(HeaderGuard)
export class OrdersController {
  @Tool({ name: 'get_order', description: 'Look an order up' })
  @Get(':id')
  find(@Req() { user }: RequestOfUser, @Param('id', ParseIntPipe) id: number): object {
    return { id: ofUser(id, user.id), status: 'open' };
  }

  @Tool({ name: 'cancel_order', description: 'Cancel an order' })
  @Delete(':id')
  cancel(@Req() { user }: RequestOfUser, @Param('id', ParseIntPipe) id: number): object {
    return { id: ofUser(id, user.id), status: 'cancelled' };
  }
}

export class ParcelDto {
  @Min(1)
  grams!: number;
}

@Injectable()
export class ShippingTools {
  @Tool({ description: 'What a parcel costs', readOnly: true, input: ParcelDto })
  shipping_cost({ grams }: ParcelDto): number {
    return grams <= 500 ? 4.9 : 9.9;
  }
}
// #endregion tools

function ofUser(id: number, user: string): number {
  if (OWNERS.get(id) !== user) throw new ForbiddenException(`Order ${id} is not yours.`);
  return id;
}

@Module({
  imports: [
    AgentModule.forRoot({
      model: openai({ model: 'gpt-4.1-mini' }),
      sessions: { store: sqlStore({ connectionString: process.env.DATABASE_URL ?? '' }) },
      decorators: [UseGuards(HeaderGuard)],
    }),
  ],
  controllers: [OrdersController],
  providers: [ShippingTools],
})
export class AppModule {}
