import { Controller, Get, Param, Post } from '@nestjs/common';

/** Of a package that knows nothing of agents. */
@Controller('invoices')
export class InvoicesController {
  @Get(':year')
  findAll(@Param('year') year: string): readonly string[] {
    return [`${year}-001`, `${year}-002`];
  }

  @Post(':number/reminders')
  remind(@Param('number') number: string): string {
    return `reminded of ${number}`;
  }
}

@Controller('payments')
export class PaymentsController {
  @Get()
  findAll(): readonly string[] {
    return ['2026-001'];
  }

  @Post()
  create(): string {
    return 'paid';
  }
}
