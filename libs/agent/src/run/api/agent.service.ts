import { Injectable } from '@nestjs/common';
import { Observable } from 'rxjs';
import { deliveryFrom } from '../../invocation';
import type { AgentEvent, JsonValue } from '../../message';
import type { StandardSchemaV1 } from '../../schema';
import type {
  ChatAction,
  ChatInput,
  ChatOptions,
  ChatResult,
  RunHandle,
  StartOptions,
} from '../request';
import { CompletionRunner, type CompletionInput } from './completion';
import {
  type ResumeOptions,
  RunLookup,
  RunResumer,
  RunStarter,
  type SessionClaim,
} from '../lifecycle';
import { StructuredOutput, type GenerateInput } from './structured-output';
import { type OfferedTool, ToolListing, type ToolDetail, type ToolSummary } from './tool-listing';

/** A browser's result for a call that a run waits for. */
export interface DeliveredResult {
  /** The session whose run waits. */
  readonly sessionId: string;
  /** The call that waits. */
  readonly callId: string;
  /** What the tool answered; missing where it answered nothing. */
  readonly result?: JsonValue;
  /** Why the browser's tool failed; instead of `result`. */
  readonly error?: string;
  /** The logged-in user's id; missing for anonymous callers. */
  readonly principal?: string;
}

/**
 * The agent, with or without HTTP.
 *
 * @example
 * \@Injectable()
 * export class Briefing {
 *   constructor(private readonly agent: AgentService) {}
 *
 *   async of(principal: string): Promise<string> {
 *     const { message } = await this.agent.chat({ message: 'What is on today?' }, { principal });
 *     return message;
 *   }
 * }
 */
@Injectable()
export class AgentService {
  /** @internal */
  constructor(
    private readonly starter: RunStarter,
    private readonly resumer: RunResumer,
    private readonly lookup: RunLookup,
    private readonly completions: CompletionRunner,
    private readonly structured: StructuredOutput,
    private readonly listing: ToolListing,
  ) {}

  /**
   * Sends a message and waits until the run has ended or needs the caller. A model's failure is a
   * result with `status: 'failed'` and `error`. Whatever is thrown is thrown before anything ran.
   *
   * @param input the body of `POST /chat`
   * @param options on whose behalf; nobody's by default
   * @throws InvalidInputError where the input cannot be used; its message says why
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   * @throws SessionBusyError while another run has the session
   * @throws TooManyRunsError where the principal has as many runs as allowed
   */
  async chat(input: ChatInput, options: ChatOptions = {}): Promise<ChatResult> {
    return (await this.start(input, options)).finished;
  }

  /**
   * Sends a message when subscribed to, and streams what happens. Errors before the run began are
   * the Observable's; later ones are `error` events. Unsubscribing cancels the run. Each
   * subscription sends the message anew.
   *
   * @param input the body of `POST /chat`
   * @param options on whose behalf; calls of frontend tools are waited for by default
   * @example
   * function printAnswer(agent: AgentService, message: string): void {
   *   agent.stream({ message }, { principal: 'alice' }).subscribe((event) => {
   *     if (event.type === 'text.delta') process.stdout.write(event.delta);
   *   });
   * }
   */
  stream(input: ChatInput, options: StartOptions = {}): Observable<AgentEvent> {
    return new Observable((subscriber) => {
      let handle: RunHandle | undefined;
      const relay = async (): Promise<void> => {
        handle = await this.start(input, { frontend: 'wait', ...options });
        if (subscriber.closed) handle.cancel();
        for await (const event of handle.events()) subscriber.next(event);
      };
      relay().then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
      return () => handle?.cancel();
    });
  }

  /**
   * Begins a run and answers as soon as the user's message is stored; throws as `chat` does.
   *
   * @param input the body of `POST /chat`
   * @param options on whose behalf; a call of a frontend tool ends the request by default
   */
  start(input: ChatInput, options: StartOptions = {}): Promise<RunHandle> {
    return this.starter.start(input, options);
  }

  /**
   * Answers what a run waits for and waits until it has ended, or needs the caller again. While
   * other actions are pending, the run waits on and its present state is the result.
   *
   * @param runId the run that waits
   * @param actions at least one; all of them are taken, or none
   * @param options on whose behalf; the calls run with this request's credentials
   * @throws RunNotFoundError for a run that is unknown or somebody else's
   * @throws ActionConflictError for an answer that nothing waits for
   * @throws InvalidInputError where edited input is refused; the approval then stays open
   * @throws SessionBusyError while another request has the session
   * @throws TooManyRunsError where the principal has as many runs as allowed
   * @example
   * async function approveAll(agent: AgentService, { runId, pendingActions }: ChatResult) {
   *   const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' as const }));
   *   return agent.resolve(runId, actions, { principal: 'alice' });
   * }
   */
  async resolve(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions = {},
  ): Promise<ChatResult> {
    const resumed = await this.resume(runId, actions, options);
    return resumed.finished;
  }

  /**
   * Answers a call on the application's own word, and goes on as `resolve` does. It is the only way to
   * answer what waits for somebody else (`external`): no client can. Whether those who decide may
   * decide is yours to check before.
   *
   * @param runId the run that waits; a tool's context names it
   * @param action the call, and what came of it: a `result` or an `error`, or `approve`, `reject`
   * @param options on whose behalf: the session's owner, whoever has decided
   * @throws RunNotFoundError for a run that is unknown or somebody else's
   * @throws ActionConflictError where the call does not wait for such an answer
   * @throws SessionBusyError while the run, or another request, still writes: try again
   * @throws TooManyRunsError where the principal has as many runs as allowed
   * @example
   * async function decide(agent: AgentService, asked: ToolContext, verdict: string) {
   *   const { runId = '', call, principal } = asked;
   *   const action = { callId: call.id, type: 'result', result: verdict } as const;
   *   return agent.settle(runId, action, principal === undefined ? {} : { principal });
   * }
   */
  async settle(
    runId: string,
    action: ChatAction,
    options: ResumeOptions = {},
  ): Promise<ChatResult> {
    const resumed = await this.resumer.settle(runId, action, options);
    return resumed.finished;
  }

  /**
   * As `resolve`, but answers as soon as the run goes on. The handle's events begin with what comes
   * of the answers; where other actions are pending, they end there and the run waits on.
   *
   * @param runId the run that waits
   * @param actions at least one; all of them are taken, or none
   * @param options on whose behalf
   */
  resume(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions = {},
  ): Promise<RunHandle> {
    return this.resumer.resume(runId, actions, options);
  }

  /**
   * Stops a run, in whichever process, and answers with what became of it once that is stored. One that waits for its caller ends as
   * well: what it waited for can be answered no more.
   *
   * @param runId the run; one that has ended stays as it is
   * @param claim who asks; nobody by default
   * @throws RunNotFoundError for a run that is unknown or somebody else's
   * @throws SessionBusyError where the run is about to go on, in this process or in another one
   */
  cancel(runId: string, claim: SessionClaim = {}): Promise<ChatResult> {
    return this.lookup.cancel(runId, claim);
  }

  /**
   * What became of a run, or has so far.
   *
   * @param runId the run
   * @param claim who asks; nobody by default
   * @throws RunNotFoundError for a run that is unknown or somebody else's
   */
  run(runId: string, claim: SessionClaim = {}): Promise<ChatResult> {
    return this.lookup.find(runId, claim);
  }

  /**
   * A run's events, those to come included, to its last: as they are told, or as the session's journal
   * has them, in whichever process. Those of a run that is not kept are there for five minutes.
   *
   * @param runId the run
   * @param claim who asks; `after` leaves out the events up to this number
   * @throws RunNotFoundError for a run that is unknown or somebody else's
   */
  events(
    runId: string,
    {
      after,
      signal,
      ...claim
    }: SessionClaim & {
      /** The number of the last event that the reader has; 0 by default. */
      readonly after?: number;
      /** Aborts when the reader is gone, which matters with `onDisconnect: { graceMs }`. */
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<AsyncIterable<AgentEvent>> {
    return this.lookup.events(runId, claim, after, signal);
  }

  /**
   * Hands a frontend tool's result to the run that waits for it, in whichever process. It counts
   * once; `false` where no run waits for it, or another result came first.
   *
   * @param delivered the call, its result, and who is logged in
   * @throws SessionNotFoundError for a session that is unknown or somebody else's
   */
  deliver(delivered: DeliveredResult): Promise<boolean> {
    const { sessionId, callId, result, error, principal } = delivered;
    return this.lookup.deliver(sessionId, callId, deliveryFrom({ result, error }), principal);
  }

  /**
   * The tools that a caller may use: none that are hidden, denied or in a sleeping group.
   *
   * @param caller who asks; nobody by default
   */
  tools(caller: ChatOptions = {}): Promise<readonly ToolSummary[]> {
    return this.listing.list(caller);
  }

  /**
   * The tools that a caller may use, with their definitions and traits: for protocols of your own.
   * No example is made, so it costs little for many tools.
   *
   * @param caller who asks; nobody by default
   * @example
   * async function readers(agent: AgentService, principal: string): Promise<readonly string[]> {
   *   const tools = await agent.offeredTools({ principal });
   *   return tools.filter(({ traits }) => traits.readOnly).map(({ definition }) => definition.name);
   * }
   */
  offeredTools(caller: ChatOptions = {}): Promise<readonly OfferedTool[]> {
    return this.listing.offered(caller);
  }

  /**
   * One of these tools in full.
   *
   * @param name the tool's
   * @param caller who asks; nobody by default
   * @throws ToolNotFoundError for one that this caller may not use
   */
  tool(name: string, caller: ChatOptions = {}): Promise<ToolDetail> {
    return this.listing.detail(name, caller);
  }

  /**
   * Continues a conversation that the caller keeps, as OpenAI's endpoint does. Nothing of it is
   * stored, and nobody can be asked: tools that ask are not offered.
   *
   * @param input the whole conversation, and what the client wishes
   * @param options on whose behalf; nobody's by default
   * @throws InvalidInputError where the input cannot be used
   * @throws TooManyRunsError where the principal has as many runs as allowed
   */
  complete(input: CompletionInput, options: ChatOptions = {}): Promise<RunHandle> {
    return this.completions.start(input, options);
  }

  /**
   * Asks the model for a value of a schema. An answer that does not fit is sent back once. Of a
   * class the value is an instance.
   *
   * @typeParam Schema the schema's type, which decides on the value's
   * @param input the schema and the prompt
   * @throws InvalidInputError for a model that is not among the module's `models`
   * @throws GenerationError where the second answer does not fit either
   * @throws ModelError where the model fails
   * @example
   * import { z } from 'zod';
   *
   * async function cityIn(agent: AgentService, letter: string): Promise<string> {
   *   const schema = z.object({ city: z.string() });
   *   const { city } = await agent.generate({ schema, prompt: `Where was this written? ${letter}` });
   *   return city;
   * }
   */
  generate<Schema extends GenerateInput['schema']>(
    input: GenerateInput<Schema>,
  ): Promise<Generated<Schema>> {
    return this.structured.generate(input) as Promise<Generated<Schema>>;
  }
}

/**
 * The type of a schema's values, as far as TypeScript can tell.
 *
 * @typeParam Schema the schema's type
 */
export type Generated<Schema> = Schema extends abstract new (...args: never[]) => infer Instance
  ? Instance
  : Schema extends StandardSchemaV1<unknown, infer Output>
    ? Output
    : unknown;
