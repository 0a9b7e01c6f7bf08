import { Injectable } from '@nestjs/common';
import { Tool, ToolParam, ToolReturn } from 'nestjs-agent';
import { z } from 'zod';
import { EventDto } from './event.dto';
import { MeetingDto } from './meeting.dto';

// #region zod
const Shift = z.object({
  day: z.iso.date(),
  hours: z.number().int().min(1).default(8),
  note: z.string().nullable(), // null is a value here
});
// #endregion zod

@Injectable()
export class EventTools {
  // #region class
  @Tool({ description: 'Create an event', input: EventDto })
  create_event(event: EventDto) {
    return { isTyped: event instanceof EventDto, ...event };
  }
  // #endregion class

  @Tool({ description: 'Plan a meeting' })
  plan_meeting(@ToolParam('meeting') meeting: MeetingDto) {
    const { startsAt, place, votes, followUps, maxSeats, room, createdBy } = meeting;
    return {
      year: startsAt.getFullYear(),
      place: place.constructor.name,
      votes: votes.get('ada'),
      followUps: followUps.every((each) => each instanceof MeetingDto) && followUps.length,
      maxSeats,
      room,
      createdBy,
    };
  }

  // #region zod-tool
  @Tool({ description: 'Take a shift', input: Shift })
  take_shift(shift: z.infer<typeof Shift>) {
    return shift;
  }
  // #endregion zod-tool

  // #region json
  @Tool({ description: 'Tag an event' })
  tag_event(
    @ToolParam('id') id: number,
    @ToolParam('tags', {
      schema: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, maxItems: 5 },
    })
    tags: string[],
  ) {
    return { id, tags };
  }
  // #endregion json

  // #region output
  @Tool({ description: 'Count the visitors', readOnly: true, output: z.object({ count: z.int() }) })
  count_visitors(@ToolParam('event') event: string) {
    return { count: event === 'concert' ? 'many' : 12 };
  }

  @Tool({ description: 'Name the next event', readOnly: true })
  @ToolReturn({ type: String, description: 'Its title', example: 'Knitting for all' })
  next_event() {
    return 'Knitting for all';
  }
  // #endregion output
}
