import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';

@Toolkit({ description: 'Reports' })
@Injectable()
export class ReportsTools {
  private readonly logger = new Logger(ReportsTools.name);

  @Tool({ name: 'sales_report', description: 'Report the sales of a year', readOnly: true })
  async sales(@ToolParam('year', { description: 'Four digits' }) year: number): Promise<object> {
    this.logger.log(`Process ${process.pid} reports ${year}`);
    await setTimeout(2_000); // simulates slow work
    return { year, sales: year * 3, by: process.pid };
  }
}
