import {
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  UseGuards,
} from '@nestjs/common';
import { AuthModule } from '../../../apps/demo/src/auth/auth.module';
import { CurrentUser } from '../../../apps/demo/src/auth/current-user.decorator';
import { JwtAuthGuard } from '../../../apps/demo/src/auth/jwt-auth.guard';
import type { User } from '../../../apps/demo/src/auth/user';
// #region example
import { AgentModule, openai, Tool, Toolkit, ToolParam } from 'nestjs-agent';
// #endregion example

// The README's example, between the shop that it leaves out.
interface Order {
  readonly id: number;
  readonly customer: string;
  readonly status: string;
}

const ORDERS: readonly Order[] = [
  { id: 17, customer: 'alice', status: 'on its way' },
  { id: 18, customer: 'bob', status: 'delivered' },
];

@Injectable()
class OrdersService {
  find(user: User, id: number): Promise<Order> {
    const order = ORDERS.find((each) => each.id === id && each.customer === user.id);
    if (order === undefined) throw new NotFoundException(`There is no order ${id}.`);
    return Promise.resolve(order);
  }
}

// #region example
// A route becomes a tool by one decorator. Its guards and pipes go on deciding.
@Controller('orders')
@UseGuards(JwtAuthGuard)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Tool({ name: 'get_order', description: 'Look an order up by its number' })
  @Get(':id')
  find(@CurrentUser() user: User, @Param('id', ParseIntPipe) id: number): Promise<Order> {
    return this.orders.find(user, id);
  }
}
// #endregion example

@Module({ imports: [AuthModule], controllers: [OrdersController], providers: [OrdersService] })
class OrdersModule {}

// #region example
// A provider's method can be a tool too.
@Toolkit({ description: 'Arithmetic' })
@Injectable()
export class MathTools {
  @Tool({ description: 'Add two numbers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }
}

@Module({
  imports: [
    OrdersModule,
    AgentModule.forRoot({
      model: openai({ model: 'gpt-4.1-mini' }), // with the key in OPENAI_API_KEY
      systemPrompt: 'You help customers of the shop with their orders.',
      imports: [AuthModule], // what JwtAuthGuard needs
      decorators: [UseGuards(JwtAuthGuard)], // for the agent's own endpoints
    }),
  ],
  providers: [MathTools],
})
export class AppModule {}
// #endregion example
