import { Controller, Get, Param } from '@nestjs/common';

/** Of a package that knows nothing of agents. */
@Controller('invoices')
export class InvoicesController {
  @Get(':year')
  findAll(@Param('year') year: string): readonly string[] {
    return [`${year}-001`, `${year}-002`];
  }
}
