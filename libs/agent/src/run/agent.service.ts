import { Injectable } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { AgentEvent, JsonValue } from '../message';
import type { ChatAction, ChatInput, ChatOptions, StartOptions } from './chat-input';
import type { ChatResult } from './chat-result';
import { CompletionRunner, type CompletionInput } from './completion';
import type { RunHandle } from './run-handle';
import { RunLookup } from './run-lookup';
import { RunResumer, type ResumedRun, type ResumeOptions } from './run-resumer';
import { RunStarter } from './run-starter';
import type { SessionClaim } from './session-access';
import { StructuredOutput, type GenerateInput } from './structured-output';
import { ToolListing, type ToolDetail, type ToolSummary } from './tool-listing';

/** A browser's result for a call that a run waits for. */
export interface DeliveredResult {
  readonly sessionId: string;
  readonly callId: string;
  readonly result?: JsonValue;
  /** Why the browser's tool failed. */
  readonly error?: string;
  readonly principal?: string;
}

/**
 * The agent, with or without HTTP.
 *
 * @example
 * const { message } = await agent.chat({ message: 'What is on today?' }, { principal: user.id, request });
 */
@Injectable()
export class AgentService {
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
   * result with `status: 'failed'` and `error`.
   *
   * @throws InvalidInputError SessionNotFoundError SessionBusyError TooManyRunsError before
   * anything ran
   */
  async chat(input: ChatInput, options: ChatOptions = {}): Promise<ChatResult> {
    return (await this.start(input, options)).finished;
  }

  /**
   * Sends a message when subscribed to, and streams what happens. Errors before the run began are
   * the Observable's; later ones are `error` events. Unsubscribing cancels the run.
   *
   * @example
   * agent.stream({ message: 'Deploy demo-app' }, { principal }).subscribe((event) => …);
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

  /** Begins a run and answers as soon as the user's message is stored; throws as `chat` does. */
  start(input: ChatInput, options: StartOptions = {}): Promise<RunHandle> {
    return this.starter.start(input, options);
  }

  /**
   * Answers what a run waits for and waits until it has ended, or needs the caller again. While
   * other actions are pending, the run waits on and its present state is the result.
   *
   * @throws RunNotFoundError for a run that is unknown or somebody else's
   * @throws ActionConflictError for an answer that nothing waits for
   * @throws InvalidInputError where edited input is refused; the approval then stays open
   */
  async resolve(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions = {},
  ): Promise<ChatResult> {
    const resumed = await this.resume(runId, actions, options);
    return 'partial' in resumed ? resumed.partial : resumed.finished;
  }

  /** As `resolve`, but answers as soon as the run goes on. */
  resume(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions = {},
  ): Promise<ResumedRun> {
    return this.resumer.resume(runId, actions, options);
  }

  /**
   * Stops a run at once and answers with what became of it. One that waits for its caller ends as
   * well: what it waited for can be answered no more.
   *
   * @throws RunNotFoundError
   * @throws SessionBusyError where the run is about to go on, in this process or in another one
   */
  cancel(runId: string, claim: SessionClaim = {}): Promise<ChatResult> {
    return this.lookup.cancel(runId, claim);
  }

  /** What became of a run, or has so far. @throws RunNotFoundError */
  run(runId: string, claim: SessionClaim = {}): Promise<ChatResult> {
    return this.lookup.find(runId, claim);
  }

  /** A run's events after the one numbered `after`. @throws RunNotFoundError */
  events(
    runId: string,
    { after, ...claim }: SessionClaim & { readonly after?: number } = {},
  ): Promise<AsyncIterable<AgentEvent>> {
    return this.lookup.events(runId, claim, after);
  }

  /**
   * Hands a frontend tool's result to the run that waits for it. It counts once; `false` where no
   * run waits. @throws SessionNotFoundError for a session that is unknown or somebody else's
   */
  deliver({ sessionId, callId, result, error, principal }: DeliveredResult): Promise<boolean> {
    const delivery = error === undefined ? { result } : { error };
    return this.lookup.deliver(sessionId, callId, delivery, principal);
  }

  /** The tools that a caller may use. */
  tools(caller: ChatOptions = {}): readonly ToolSummary[] {
    return this.listing.list(caller);
  }

  /** One of these tools in full. @throws ToolNotFoundError for one that this caller may not use */
  tool(name: string, caller: ChatOptions = {}): ToolDetail {
    return this.listing.detail(name, caller);
  }

  /** Continues a conversation that the caller keeps. Nothing of it is stored. */
  complete(input: CompletionInput, options: ChatOptions = {}): Promise<RunHandle> {
    return this.completions.start(input, options);
  }

  /**
   * Asks the model for a value of a schema. An answer that does not fit is sent back once.
   *
   * @throws GenerationError where the second answer does not fit either
   * @throws ModelError where the model fails
   * @example
   * const { city } = await agent.generate({ schema: AddressDto, prompt: `Find the address: ${text}` });
   */
  generate<Schema extends GenerateInput['schema']>(
    input: GenerateInput<Schema>,
  ): Promise<Generated<Schema>> {
    return this.structured.generate(input) as Promise<Generated<Schema>>;
  }
}

/** The type of a schema's values, as far as TypeScript can tell. */
export type Generated<Schema> = Schema extends abstract new (...args: never[]) => infer Instance
  ? Instance
  : Schema extends { readonly '~standard': { readonly types?: { readonly output: infer Output } } }
    ? Output
    : unknown;
