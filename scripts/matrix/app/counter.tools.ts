import { Injectable } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';

// Two classes of one name with parameters in a different order: Nest 11 mixes up their metadata.
function northern() {
  @Toolkit({ description: 'Counts in the north', prefix: 'north_' })
  @Injectable()
  class CounterTools {
    @Tool({ description: 'How many are left', readOnly: true })
    left(@ToolParam('had') had: number, @ToolParam('sold') sold: number): number {
      return had - sold;
    }
  }
  return CounterTools;
}

function southern() {
  @Toolkit({ description: 'Counts in the south', prefix: 'south_' })
  @Injectable()
  class CounterTools {
    @Tool({ description: 'How many are left', readOnly: true })
    left(@ToolParam('sold') sold: number, @ToolParam('had') had: number): number {
      return had - sold;
    }
  }
  return CounterTools;
}

export const COUNTERS = [northern(), southern()];
