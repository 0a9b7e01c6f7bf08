import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-agent';

@Injectable()
export class ClockTools {
  @Tool({ name: 'current_date', description: "Today's date", readOnly: true })
  today(): string {
    return new Date().toISOString().slice(0, 10);
  }
}
