import fc from 'fast-check';
import type { AgentEventBody } from '../message';
import { PackedEvents } from './packed-events';

const delta = fc.string({ unit: 'binary', maxLength: 6 });
const callId = fc.constantFrom('call_1', 'call_2');
const event: fc.Arbitrary<AgentEventBody> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('text.delta'), delta }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('thinking.delta'), delta }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('tool.input.delta'),
      callId,
      name: fc.constant('add'),
      delta,
    }),
  },
  fc.record({ type: fc.constant('tool.progress'), callId, data: fc.constant({ delta: 1 }) }),
);

describe('PackedEvents', () => {
  it('gives back what it was made of, from any place on', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), fc.nat(35), (events, place) => {
        const packed = new PackedEvents(events);
        expect(packed).toHaveLength(events.length);
        expect(packed.slice(place)).toEqual(events.slice(place));
      }),
    );
  });
});
