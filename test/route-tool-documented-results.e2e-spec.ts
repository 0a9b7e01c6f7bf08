import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Logger,
  type NestInterceptor,
  Post,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ApiOkResponse, ApiCreatedResponse, ApiProperty } from '@nestjs/swagger';
import { Tool, ToolReturn } from 'nestjs-agent';
import { map, type Observable } from 'rxjs';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

/** As applications document themselves: right in the main, wrong in the details. */
class PaymentDto {
  @ApiProperty({ type: Number })
  amount!: number;

  @ApiProperty()
  note!: string;

  @ApiProperty({ enum: ['open', 'paid'] })
  state!: 'open' | 'paid';
}

// A decimal column as text, a nullable one, a state that is newer than its documentation.
const row = { amount: '12.50', note: null, state: 'refunded' };

@Controller('payments')
class PaymentsController {
  payments = 0;

  @Tool({ name: 'pay', description: 'Pay' })
  @Post()
  @ApiCreatedResponse({ type: PaymentDto })
  pay(@Body('amount') amount: number) {
    this.payments += 1;
    return { ...row, asked: amount };
  }

  @Tool({ name: 'payments', description: 'List the payments' })
  @Get()
  @ApiOkResponse({ type: [PaymentDto] })
  list() {
    return [row];
  }

  @Tool({ name: 'pay_strictly', description: 'Pay', output: PaymentDto })
  @Post('strict')
  payStrictly() {
    return row;
  }

  @Tool({ name: 'payment', description: 'One payment' })
  @ToolReturn({ type: PaymentDto })
  @Get('one')
  one() {
    return row;
  }
}

@Injectable()
class DataInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

describe.each<AdapterName>(['express', 'fastify'])('documented results on %s', (adapter) => {
  let tools: RouteToolApplication;
  const logged = { warn: [] as string[], error: [] as string[] };

  beforeAll(async () => {
    tools = await RouteToolApplication.start({
      adapter,
      controllers: [PaymentsController],
      providers: [{ provide: APP_INTERCEPTOR, useClass: DataInterceptor }],
    });
    logged.warn.length = logged.error.length = 0;
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message) => {
      logged.warn.push(String(message));
    });
    jest.spyOn(Logger.prototype, 'error').mockImplementation((message) => {
      logged.error.push(String(message));
    });
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await tools.close();
  });

  const differing = (source: string) => logged.warn.filter((line) => line.startsWith(source));

  it('are results where they differ from @ApiResponse, with one line in the log', async () => {
    for (let count = 0; count < 3; count += 1) {
      expect(await tools.result('pay', { amount: 12.5 })).toEqual({
        data: { ...row, asked: 12.5 },
      });
      expect(await tools.result('payments')).toEqual({ data: [row] });
    }
    expect(tools.app.get(PaymentsController).payments).toBe(3);
    expect(differing('PaymentsController.pay:')).toHaveLength(1);
    expect(differing('PaymentsController.list:')).toHaveLength(1);
  });

  it('fail a tool that only reads and breaks its own promise, never one that writes', async () => {
    expect((await tools.call('payment')).error?.code).toBe('invalid_output');
    expect(await tools.result('pay_strictly')).toEqual({ data: row });
    expect(logged.error.filter((line) => line.includes('does not fit its schema'))).toHaveLength(2);
  });
});
