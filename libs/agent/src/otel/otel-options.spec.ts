import { otel } from './otel';
import { captureContentOf } from './otel-options';

const VARIABLE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';

describe('options of otel()', () => {
  afterEach(() => delete process.env[VARIABLE]);

  it.each([
    [undefined, 'none'],
    ['', 'none'],
    ['false', 'none'],
    ['no_content', 'none'],
    ['toString', 'none'],
    ['true', 'span_and_event'],
    ['SPAN_ONLY', 'span'],
    ['event_only', 'event'],
    ['span_and_event', 'span_and_event'],
  ])('reads %s of the environment as %s', (said, capture) => {
    if (said !== undefined) process.env[VARIABLE] = said;
    expect(captureContentOf({})).toBe(capture);
    expect(captureContentOf({ captureContent: 'event' })).toBe('event');
  });

  it('names what is wrong', () => {
    const wrong = { captureContent: 'all', semConv: '1.41', maxContentChars: 0 } as object;
    expect(() => otel(wrong)).toThrow(
      /^otel\(\) cannot start: .*captureContent must be .*maxContentChars must be .*semConv is no option; did you mean semconv\?/,
    );
  });
});
