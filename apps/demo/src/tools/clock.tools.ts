import { Injectable } from '@nestjs/common';
import { Tool, ToolError, Toolkit, ToolParam } from 'nestjs-agent';

const DAY_MS = 86_400_000;

@Toolkit({ description: 'Time and dates' })
@Injectable()
export class ClockTools {
  @Tool({
    name: 'current_time',
    description: 'Tell what time and date it is now, in a time zone',
    readOnly: true,
  })
  currentTime(
    @ToolParam('timeZone', {
      description: 'IANA name of the time zone',
      example: 'Europe/Berlin',
      default: 'UTC',
    })
    timeZone: string,
  ): string {
    try {
      return new Intl.DateTimeFormat('en-GB', {
        dateStyle: 'full',
        timeStyle: 'long',
        timeZone,
      }).format(new Date());
    } catch {
      throw new ToolError(`"${timeZone}" is no time zone. Use a name such as "Europe/Berlin".`);
    }
  }

  @Tool({
    name: 'days_between',
    description: 'Count the days from one date to another',
    readOnly: true,
  })
  daysBetween(
    @ToolParam('from', { description: 'First date' }) from: Date,
    @ToolParam('to', { description: 'Last date' }) to: Date,
  ): number {
    return Math.round((to.getTime() - from.getTime()) / DAY_MS);
  }
}
