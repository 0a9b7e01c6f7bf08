import { Injectable } from '@nestjs/common';
import { Tool, ToolError } from 'nestjs-agent';

const DAY_MS = 86_400_000;

/** Time and dates */
@Injectable()
export class ClockTools {
  /** Tell what time and date it is now, in a time zone */
  @Tool({ name: 'current_time', readOnly: true })
  currentTime(
    /**
     * IANA name of the time zone
     * @example Europe/Berlin
     */
    timeZone = 'UTC',
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

  /** Count the days from one date to another */
  @Tool({ name: 'days_between', readOnly: true })
  daysBetween(/** First date */ from: Date, /** Last date */ to: Date): number {
    return Math.round((to.getTime() - from.getTime()) / DAY_MS);
  }
}
