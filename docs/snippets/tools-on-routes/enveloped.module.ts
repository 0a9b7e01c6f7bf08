import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  Module,
  type NestInterceptor,
  Param,
  ParseIntPipe,
  Post,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import type { Response } from 'express';
import { AgentModule, Tool } from 'nestjs-agent';
import { map } from 'rxjs';
import { HeaderGuard } from '../start/header.guard';
import { EnvelopeInterceptor } from './envelope.interceptor';

class Wrapping implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next
      .handle()
      .pipe(map((data: unknown) => ({ code: 200, message: 'success', data: data ?? null })));
  }
}

@Catch(HttpException)
class ErrorsAsSuccess implements ExceptionFilter {
  catch({ message }: HttpException, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    response.status(200).json({ code: 1102, message, data: null });
  }
}

class Parcel {
  @ApiProperty()
  id!: number;
}

@Controller('parcels')
@UseInterceptors(Wrapping)
@UseFilters(ErrorsAsSuccess)
class ParcelsController {
  @Tool({ name: 'get_parcel', description: 'Look a parcel up' })
  @ApiOkResponse({ type: Parcel })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number): Parcel {
    if (id !== 17) throw new HttpException('There is no such parcel.', 404);
    return { id };
  }

  @Tool({ name: 'return_parcel', description: 'Send a parcel back', permission: 'allow' })
  @Post(':id/return')
  sendBack(@Param('id', ParseIntPipe) _id: number): void {}

  @Tool({ name: 'get_cost', description: 'What a parcel costs', offer: 'always' })
  @UseGuards({ canActivate: () => false })
  @Get(':id/cost')
  cost() {
    return 4.9;
  }
}

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region module
      toolInterceptors: [EnvelopeInterceptor],
      // #endregion module
    }),
  ],
  controllers: [ParcelsController],
})
export class EnvelopedModule {}
