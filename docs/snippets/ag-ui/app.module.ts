import {
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  type CanActivate,
  type ExecutionContext,
  UseGuards,
} from '@nestjs/common';
import { AgentModule, Tool } from 'nestjs-agent';
import { HeaderGuard, type RequestOfUser } from '../start/header.guard';

/** As HeaderGuard, and visitors who are not logged in may talk to the agent too. */
@Injectable()
export class VisitorGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<RequestOfUser>();
    return headers['authorization'] === undefined || new HeaderGuard().canActivate(context);
  }
}

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

@Module({
  imports: [AgentModule.forRoot({ decorators: [UseGuards(VisitorGuard)] })],
  controllers: [OrdersController],
})
export class AppModule {}
