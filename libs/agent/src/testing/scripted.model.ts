import type { FinishReason, JsonObject, ModelUsage } from '../message';
import {
  type ChatModel,
  type ModelCapabilities,
  type ModelEvent,
  type ModelRequest,
} from '../model';
import { eachUntilAborted, isAsyncIterable, orAbort, throwIfAborted } from '../internal';
import type { Barrier } from './barrier';

/** A model call in short: reasoning, text and tool calls, in this order. */
export interface ScriptedReply {
  /** The reasoning, before the text; none by default. */
  readonly reasoning?: string;
  /** One delta, or several; nothing by default. */
  readonly text?: string | readonly string[];
  /** The requested calls; none by default. */
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** The finish reason; by default `tool_use` if there are calls, otherwise `end_turn`. */
  readonly finishReason?: FinishReason;
  /** The tokens of the call; 10 input and 5 output tokens by default. */
  readonly usage?: ModelUsage;
}

/** A call that a scripted model requests. */
export interface ScriptedToolCall {
  /** The call's id; by default `call_1`, `call_2`, … through the whole script. */
  readonly id?: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments; `{}` by default. */
  readonly input?: JsonObject;
  /** The model's text that is not valid arguments, as in `ToolUseBlock`; none by default. */
  readonly malformedInput?: string;
}

/**
 * One item of a scripted stream: an event, an error that is thrown, or a wait until a barrier opens or
 * a promise settles.
 */
export type ScriptedEvent = ModelEvent | Error | Barrier | PromiseLike<unknown>;

/** The outcome of one model call. A string is a reply with that text. */
export type ScriptedOutcome = string | ScriptedReply | Error | readonly ScriptedEvent[];

/** An outcome, or a function of the request that returns one or yields the events itself. */
export type ScriptedStep =
  | ScriptedOutcome
  | ((
      request: ModelRequest,
      options: { readonly signal: AbortSignal },
    ) => ScriptedOutcome | Promise<ScriptedOutcome> | AsyncIterable<ModelEvent>);

/**
 * Options of `ScriptedModel`.
 *
 * @example
 * import { ScriptedModel, type ScriptedModelOptions } from 'nestjs-agent/testing';
 *
 * const options: ScriptedModelOptions = { capabilities: { tools: false } };
 * const model = new ScriptedModel(['Hello!'], options);
 */
export interface ScriptedModelOptions {
  /** The model's name; `scripted` by default. */
  readonly name?: string;
  /** Its capabilities; `{ tools: true }` by default. */
  readonly capabilities?: ModelCapabilities;
}

const USAGE: ModelUsage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/**
 * A model with scripted outcomes, call by call, that records its requests. A call beyond the script
 * throws, and `assertComplete()` throws while steps are left.
 *
 * @example
 * import { ScriptedModel } from 'nestjs-agent/testing';
 *
 * const model = new ScriptedModel([
 *   { toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] },
 *   'It is 3.',
 * ]);
 *
 * async function addsUp(agent: AgentService): Promise<void> {
 *   const { message } = await agent.chat({ message: 'What is 1 and 2?' });
 *   expect(message).toBe('It is 3.');
 *   expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user' });
 *   model.assertComplete();
 * }
 */
export class ScriptedModel implements ChatModel {
  /** The name, as in the options. */
  readonly name: string;
  /** The capabilities, as in the options. */
  readonly capabilities: ModelCapabilities;
  private readonly steps: ScriptedStep[];
  private readonly recorded: ModelRequest[] = [];
  private readonly unexpected: string[] = [];
  private callCount = 0;

  /**
   * Creates a model; use one per test.
   *
   * @param steps the outcomes of its calls, in order
   * @param options all have a default
   */
  constructor(steps: readonly ScriptedStep[], options: ScriptedModelOptions = {}) {
    this.steps = [...steps];
    this.name = options.name ?? 'scripted';
    this.capabilities = options.capabilities ?? { tools: true };
  }

  /** The requests in order, each as it was at its call. */
  get requests(): readonly ModelRequest[] {
    return this.recorded;
  }

  /**
   * Adds steps after the remaining ones.
   *
   * @param steps the outcomes of further calls, in order
   * @returns the model itself
   */
  push(...steps: readonly ScriptedStep[]): this {
    this.steps.push(...steps);
    return this;
  }

  /**
   * Checks that the whole script was used.
   *
   * @throws Error if steps are left, or if the model was called beyond its script
   */
  assertComplete(): void {
    const problems = [...this.unexpected];
    if (this.steps.length > 0) {
      problems.push(`${this.steps.length} scripted step(s) were never asked for`);
    }
    if (problems.length > 0)
      throw new Error(`ScriptedModel "${this.name}": ${problems.join('; ')}.`);
  }

  /**
   * Answers a call with the script's next step.
   *
   * @param request recorded as it is now
   * @param call its signal aborts the answer, also while a step waits
   * @returns the events of the answer
   * @throws Error if the script has no step left, and errors that the script contains
   */
  async *stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    this.recorded.push(structuredClone(request));
    throwIfAborted(signal);
    const step = this.steps.shift();
    if (step === undefined) {
      const problem = `call ${this.recorded.length} was not expected`;
      this.unexpected.push(problem);
      throw new Error(`ScriptedModel "${this.name}": ${problem}; the script has no step for it.`);
    }
    const output = typeof step === 'function' ? step(request, { signal }) : step;
    if (isAsyncIterable<ModelEvent>(output)) {
      yield* eachUntilAborted(output, signal);
      return;
    }
    for (const event of this.eventsOf(await orAbort(Promise.resolve(output), signal))) {
      throwIfAborted(signal);
      if (event instanceof Error) throw event;
      if ('then' in event) await orAbort(event, signal);
      else if ('reached' in event) await orAbort(event.pass(), signal);
      else yield event;
    }
  }

  private eventsOf(outcome: ScriptedOutcome): readonly ScriptedEvent[] {
    if (outcome instanceof Error) return [outcome];
    if (typeof outcome === 'string') return this.eventsOfReply({ text: outcome });
    return 'at' in outcome ? outcome : this.eventsOfReply(outcome);
  }

  private eventsOfReply(reply: ScriptedReply): readonly ModelEvent[] {
    const { reasoning, text = [], toolCalls = [], usage = USAGE } = reply;
    const deltas = typeof text === 'string' ? [text] : text;
    return [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning.delta' as const, delta: reasoning }]),
      ...deltas
        .filter((delta) => delta !== '')
        .map((delta) => ({ type: 'text.delta' as const, delta })),
      ...toolCalls.map(({ id, name, input = {}, malformedInput }) => ({
        type: 'tool_use' as const,
        id: id ?? `call_${++this.callCount}`,
        name,
        input,
        ...(malformedInput === undefined ? {} : { malformedInput }),
      })),
      {
        type: 'finish',
        reason: reply.finishReason ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn'),
        usage,
      },
    ];
  }
}
