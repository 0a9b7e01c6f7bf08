import {
  addUsage,
  countedUsage,
  NO_USAGE,
  textMessage,
  type FinishReason,
  type Usage,
} from '../../message';
import type { ChatModel, ModelEvent, ModelRequest } from '../chat-model';
import { ModelError } from '../model-error';
import type { ModelObserver } from '../model-observer';
import { throwIfAborted } from '../../internal';
import { isCut } from '../stream';
import { wholeCall } from '../tool-calls';
import { offeredTools } from './react.call';
import { ReactParser, type ReactPiece } from './react.parser';
import { toReactRequest } from './react.request';

/** How often a model gets a hint that it broke the format. */
const MAX_HINTS = 2;

const HINT = `That could not be read as a call of a tool. Write exactly this, with valid JSON inside, and nothing after it:
<tool_call>{"name": "the tool", "arguments": {}}</tool_call>
If you want to use no tool, write: <answer>your answer</answer>`;

/** See `react()`. */
export async function* streamReact(
  model: ChatModel,
  request: ModelRequest,
  signal: AbortSignal,
  observer?: ModelObserver,
): AsyncGenerator<ModelEvent, void, undefined> {
  const ask = (attempt: number): AsyncIterable<ModelEvent> =>
    observer?.ask(model, asked, { signal, attempt, reason: 'retry' }) ??
    model.stream(asked, { signal });
  let asked = toReactRequest(request);
  if (request.tools.length === 0 || request.toolChoice === 'none') {
    yield* ask(1);
    return;
  }
  const offered = offeredTools(request.tools);
  let usage: Usage | undefined;
  for (let hints = 0; ; hints++) {
    throwIfAborted(signal);
    const round = new Round(new ReactParser(offered));
    for await (const event of ask(hints + 1)) yield* round.take(event);
    if (round.usage !== undefined) usage = addUsage(usage ?? NO_USAGE, round.usage);
    if (!round.isMalformed || round.hasCalls) {
      yield { type: 'finish', reason: round.reason(), ...(usage === undefined ? {} : { usage }) };
      return;
    }
    if (hints === MAX_HINTS) {
      throw new ModelError(
        'model_unavailable',
        `The model ${model.name} did not keep to the format of tool calls, even after ${MAX_HINTS} hints.`,
        { isRetryable: false },
      );
    }
    asked = {
      ...asked,
      messages: [
        ...asked.messages,
        textMessage('assistant', round.said),
        textMessage('user', HINT),
      ],
    };
  }
}

/** One answer of the model: its text, read. */
class Round {
  said = '';
  isMalformed = false;
  hasCalls = false;
  usage: Usage | undefined;
  private finish: FinishReason = 'end_turn';

  constructor(private readonly parser: ReactParser) {}

  *take(event: ModelEvent): Generator<ModelEvent, void, undefined> {
    switch (event.type) {
      case 'text.delta':
        this.said += event.delta;
        yield* this.pass(this.parser.add(event.delta));
        break;
      case 'finish':
        this.finish = event.reason;
        this.usage = countedUsage(event.usage);
        yield* this.pass(this.parser.finish(isCut(event.reason)));
        break;
      case 'tool_use':
        // The model calls natively after all.
        this.hasCalls = true;
        yield event;
        break;
      // The parsed text differs from the text that the provider knows.
      case 'text.end':
        break;
      case 'reasoning.delta':
      case 'reasoning.end':
      case 'source':
      case 'provider_tool':
      case 'tool_use.delta':
        yield event;
        break;
    }
  }

  reason(): FinishReason {
    return this.hasCalls && this.finish === 'end_turn' ? 'tool_use' : this.finish;
  }

  private *pass(pieces: readonly ReactPiece[]): Generator<ModelEvent, void, undefined> {
    for (const piece of pieces) {
      switch (piece.type) {
        case 'text':
          yield { type: 'text.delta', delta: piece.text };
          break;
        case 'thought':
          yield { type: 'reasoning.delta', delta: piece.text };
          break;
        case 'malformed':
          this.isMalformed = true;
          break;
        case 'call':
          this.hasCalls = true;
          yield* wholeCall(piece.call.name, piece.call.input);
          break;
      }
    }
  }
}
