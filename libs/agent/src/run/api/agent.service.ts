import type { Observable } from 'rxjs';
import { deliveryFrom } from '../../invocation';
import type { AgentEvent } from '../../message';
import type { CallContext } from '../../tool';
import type {
  ChatAction,
  ChatInput,
  ChatOptions,
  ChatResult,
  RunHandle,
  StartOptions,
} from '../request';
import type { CompletionInput, CompletionRunner } from './completion';
import type { ResumeOptions, RunResumer, RunStarter } from '../lifecycle';
import type { RunLookup } from '../lookup';
import type { SessionClaim } from '../execution';
import type { DeliveredResult } from './delivered-result.interface';
import { eventsOf } from './run-observable';
import type { Generated, GenerateInput, StructuredOutput } from './structured-output';
import type { OfferedTool, ToolDetail, ToolListing, ToolSummary } from './tool-listing';

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
   * Sends a message and waits until the run ends or requires an action. A failed run is a result
   * with `status: 'failed'` and `error`; errors are thrown only before the run starts.
   *
   * @param input the body of `POST /chat`
   * @param options the caller; anonymous by default
   * @throws InvalidInputError if the input is invalid
   * @throws SessionNotFoundError if this caller has no such session
   * @throws SessionBusyError while another run writes to the session
   * @throws TooManyRunsError if the principal has reached the limit of runs
   */
  async chat(input: ChatInput, options: ChatOptions = {}): Promise<ChatResult> {
    return (await this.start(input, options)).finished;
  }

  /**
   * Sends a message on subscription and streams the run's events. Errors before the run starts
   * fail the Observable; later ones are `error` events. Unsubscribing cancels the run. Each
   * subscription sends the message again.
   *
   * @param input the body of `POST /chat`
   * @param options the caller; by default the run waits for results of frontend tools
   * @example
   * function printAnswer(agent: AgentService, message: string): void {
   *   agent.stream({ message }, { principal: 'alice' }).subscribe((event) => {
   *     if (event.type === 'text.delta') process.stdout.write(event.delta);
   *   });
   * }
   */
  stream(input: ChatInput, options: StartOptions = {}): Observable<AgentEvent> {
    return eventsOf(() => this.start(input, { frontend: 'wait', ...options }));
  }

  /**
   * Starts a run and returns once the user's message is stored; throws as `chat` does.
   *
   * @param input the body of `POST /chat`
   * @param options the caller; by default a call of a frontend tool ends the request
   */
  start(input: ChatInput, options: StartOptions = {}): Promise<RunHandle> {
    return this.starter.start(input, options);
  }

  /**
   * Answers pending actions and waits until the run ends or requires an action again. While other
   * actions are pending, the result is the run's current state.
   *
   * @param runId the waiting run
   * @param actions at least one; all are accepted, or none
   * @param options the caller; the calls run with this request's credentials
   * @throws RunNotFoundError if this caller has no such run
   * @throws ActionConflictError if an action is not pending
   * @throws InvalidInputError if edited input is refused; the approval stays pending
   * @throws SessionBusyError if the session is not free after 20 attempts, about 2 s: another request
   *   writes to it
   * @throws TooManyRunsError if the principal has reached the limit of runs
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
   * Answers a pending call on the application's authority and continues as `resolve` does. Only
   * this method answers `external` calls. Check the permission to answer before you call it.
   *
   * @param runId the waiting run; `ToolContext.runId` names it
   * @param action the call and its `result` or `error`, or `approve` or `reject`
   * @param options the session's owner, who need not have made the decision
   * @throws RunNotFoundError if this owner has no such run
   * @throws ActionConflictError if the call does not wait for such an answer
   * @throws SessionBusyError while the run or another request writes to the session: try again
   * @throws TooManyRunsError if the principal has reached the limit of runs
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
   * As `resolve`, but returns once the run continues. The handle's events start with the results
   * of the actions; while other actions are pending, they end there.
   *
   * @param runId the waiting run
   * @param actions at least one; all are accepted, or none
   * @param options the caller
   */
  resume(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions = {},
  ): Promise<RunHandle> {
    return this.resumer.resume(runId, actions, options);
  }

  /**
   * Cancels a run in any process and returns its stored result. Its pending actions can no longer be
   * answered.
   *
   * @param runId the run; a finished run stays unchanged
   * @param claim the caller; anonymous by default
   * @throws RunNotFoundError if this caller has no such run
   * @throws SessionBusyError if the run is not stopped after 20 attempts, about 2 s: another request
   * holds its session, or the store's reads stay behind its writes
   */
  cancel(runId: string, claim: SessionClaim = {}): Promise<ChatResult> {
    return this.lookup.cancel(runId, claim);
  }

  /**
   * A run's result, or its state so far.
   *
   * @param runId the run
   * @param claim the caller; anonymous by default
   * @throws RunNotFoundError if this caller has no such run
   */
  run(runId: string, claim: SessionClaim = {}): Promise<ChatResult> {
    return this.lookup.find(runId, claim);
  }

  /**
   * A run's events up to its last one, past and future, from any process. The events of a stateless
   * run are available for five minutes.
   *
   * @param runId the run
   * @param claim the caller; `after` skips events up to this number
   * @throws RunNotFoundError if this caller has no such run
   */
  events(
    runId: string,
    {
      after,
      signal,
      ...claim
    }: SessionClaim & {
      /** The number of the reader's last event; 0 by default. */
      readonly after?: number;
      /** Aborts when the reader disconnects; `onDisconnect: { graceMs }` needs it. */
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<AsyncIterable<AgentEvent>> {
    return this.lookup.events(runId, claim, after, signal);
  }

  /**
   * Delivers a frontend tool's result to the waiting run, in any process. Only the first result
   * counts; returns `false` for later ones, and if no run waits.
   *
   * @param delivered the call, its result and the user
   * @throws SessionNotFoundError if this user has no such session
   */
  deliver(delivered: DeliveredResult): Promise<boolean> {
    const { sessionId, callId, result, error, principal } = delivered;
    return this.lookup.deliver(sessionId, callId, deliveryFrom({ result, error }), principal);
  }

  /**
   * The tools that a caller may use, without hidden or denied tools and inactive groups.
   *
   * @param caller the caller; anonymous by default
   */
  tools(caller: ChatOptions = {}): Promise<readonly ToolSummary[]> {
    return this.listing.list(caller);
  }

  /**
   * The tools that a caller may use, with definitions and traits, for your own protocols. Generates
   * no examples, so it is cheap for many tools.
   *
   * @param caller the caller, anonymous by default, and its active groups
   * @example
   * async function readers(agent: AgentService, principal: string): Promise<readonly string[]> {
   *   const tools = await agent.offeredTools({ principal });
   *   return tools.filter(({ traits }) => traits.readOnly).map(({ definition }) => definition.name);
   * }
   */
  offeredTools(
    caller: ChatOptions & Pick<CallContext, 'activeGroups'> = {},
  ): Promise<readonly OfferedTool[]> {
    return this.listing.offered(caller);
  }

  /**
   * One of these tools with its schemas and examples.
   *
   * @param name the tool's name
   * @param caller the caller; anonymous by default
   * @throws ToolNotFoundError if this caller may not use such a tool
   */
  tool(name: string, caller: ChatOptions = {}): Promise<ToolDetail> {
    return this.listing.detail(name, caller);
  }

  /**
   * Continues a conversation that the caller stores, as OpenAI's endpoint does. The run is stateless
   * and has no approvals: tools that need one are not offered.
   *
   * @param input the whole conversation, and the client's settings
   * @param options the caller; anonymous by default
   * @throws InvalidInputError if the input is invalid
   * @throws TooManyRunsError if the principal has reached the limit of runs
   */
  complete(input: CompletionInput, options: ChatOptions = {}): Promise<RunHandle> {
    return this.completions.start(input, options);
  }

  /**
   * Asks the model for a value of a schema; for a class, returns an instance. An invalid answer is
   * returned to the model once.
   *
   * @typeParam Schema the schema's type, which determines the value's type
   * @param input the schema and the prompt
   * @throws InvalidInputError if the module's `models` has no such model
   * @throws GenerationError if the second answer is invalid too
   * @throws ModelError if the model fails
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
