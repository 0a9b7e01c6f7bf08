import { Inject, Injectable } from '@nestjs/common';
import { buildFrontendTool, untilAborted, type Deliveries } from '../../invocation';
import type { Message } from '../../message';
import type { ChatModel, ToolChoice } from '../../model';
import { definitionProblems } from '../../registry';
import { schemaOf } from '../../schema';
import type { SessionEntry, SessionRecord, SessionState } from '../../session';
import type { Tool, ToolDefinition } from '../../tool';
import { ActiveRuns } from './active-runs';
import {
  AGENT_MODEL,
  AGENT_MODELS,
  type ChatInput,
  checkClientTools,
  checkedMessage,
  checkInput,
  checkToolChoice,
  type ClientToolsField,
  InvalidInputError,
  newRunId,
  NOT_SEEN,
  readable,
  RUN_OPTIONS,
  type RunHandle,
  type RunOptions,
  type StartOptions,
} from '../request';
import { isOnOffer, type LoopRequest, type RunContext } from '../loop';
import { settleLastRun } from './recovery';
import { Rewinding } from './rewinding';
import { RunLauncher } from './run-launcher';
import { SessionAccess } from './session-access';
import { SessionWriter } from './session-writer';

/** Begins runs: checks what was sent, takes the session, settles what its last run left open. */
@Injectable()
export class RunStarter {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(AGENT_MODEL) private readonly model: ChatModel,
    @Inject(AGENT_MODELS) private readonly models: ReadonlyMap<string, ChatModel>,
    private readonly sessions: SessionAccess,
    private readonly writer: SessionWriter,
    private readonly launcher: RunLauncher,
    private readonly active: ActiveRuns,
    private readonly rewinding: Rewinding,
  ) {}

  async start(input: ChatInput, options: StartOptions): Promise<RunHandle> {
    checkInput(input, this.options);
    const said = checkedMessage(input, this.options);
    const model = this.modelNamed(input.model);
    const tools = this.frontendTools(input.frontendTools ?? [], options.tools);
    return this.admitted(options.principal, (leave) =>
      this.inSession(input.sessionId, options.principal, async (record) => {
        const runId = newRunId();
        const journal = await this.writer.takeForRun(record, runId);
        const run = this.launcher.prepare({
          runId,
          sessionId: record.id,
          options,
          frontend: options.frontend ?? 'park',
          journal,
          telling: journal.telling,
          tools,
          leave,
        });
        return this.orRelease(run, async () => {
          await this.checkToolChoice(input.toolChoice, run, model);
          // Before the last run is settled: a request that is refused declines nothing.
          const rewound = await this.rewound(record, journal.state, input.replaceRun);
          await settleLastRun(run, this.launcher.services, journal.draft);
          const request = await this.requestFor(model, run);
          await journal.append(...rewound, ...openingEntries(runId, model, input, said));
          return this.launcher.launch(run, {
            ...request,
            ...(input.environmentContext && { environmentContext: input.environmentContext }),
            ...(input.toolChoice && { toolChoice: input.toolChoice }),
            ...(input.modelOptions && { settings: input.modelOptions }),
          });
        });
      }),
    );
  }

  /** Written together with the new run's beginning: what is replaced stands until there is another. */
  private async rewound(
    record: SessionRecord,
    state: SessionState,
    replaceRun: string | undefined,
  ): Promise<readonly SessionEntry[]> {
    if (replaceRun === undefined) return [];
    return [await this.rewinding.entryFor(record, state, replaceRun)];
  }

  /** For a run that is prepared and has not begun. @throws InvalidInputError */
  checkToolChoice(
    choice: ToolChoice | undefined,
    run: RunContext,
    model: ChatModel,
  ): Promise<void> {
    const { catalog } = this.launcher.services;
    return checkToolChoice(choice, (name) => isOnOffer(run, { catalog, model }, name));
  }

  /**
   * Counts the run among its principal's until it is released, or fails to begin.
   *
   * @throws TooManyRunsError
   */
  async admitted<T>(
    principal: string | undefined,
    begin: (leave: () => void) => Promise<T>,
  ): Promise<T> {
    const leave = this.active.enter(principal, this.options.runsPerPrincipal);
    try {
      return await begin(leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Uses a session: the caller's, or a new one, of which nothing is left where `use` fails. */
  private async inSession<T>(
    sessionId: string | undefined,
    principal: string | undefined,
    use: (record: SessionRecord) => Promise<T>,
  ): Promise<T> {
    if (sessionId !== undefined) return use(await this.sessions.find(sessionId, principal));
    const record = await this.sessions.create(principal);
    try {
      return await use(record);
    } catch (error) {
      await this.sessions.discard(record);
      throw error;
    }
  }

  /** Frees the session again where the run does not come about. */
  async orRelease<T>(run: RunContext, begin: () => Promise<T>): Promise<T> {
    try {
      return await begin();
    } catch (error) {
      await run.release();
      throw error;
    }
  }

  /** The default model, or one that the module's options name. @throws InvalidInputError */
  modelNamed(name: string | undefined): ChatModel {
    if (name === undefined) return this.model;
    const model = this.models.get(name);
    if (model !== undefined) return model;
    const known = [...this.models.keys()].map((key) => `"${key}"`).join(', ');
    throw new InvalidInputError(
      `There is no model "${name}". ${known === '' ? '' : `Choose one of ${known}, or `}leave "model" out.`,
      [],
      'model_not_found',
    );
  }

  /** As `clientTools`, for tools of a chat page: unknown arguments are refused at every depth. */
  frontendTools(
    definitions: readonly ToolDefinition[],
    ownTools?: readonly Tool[],
  ): (deliveries: Deliveries) => readonly Tool[] {
    this.clientTools(definitions, ownTools, 'frontendTools');
    return this.clientTools(
      definitions.map((each) => ({ ...each, input_schema: schemaOf(each.input_schema) })),
      ownTools,
      'frontendTools',
    );
  }

  /**
   * Checks definitions that a client sent.
   *
   * @param ownTools the server's tools for this run alone, which are checked as well
   * @param field where in the input the definitions stand
   * @throws InvalidInputError
   * @throws ToolDeclarationError where a preset names no argument of one of the server's
   */
  clientTools(
    definitions: readonly ToolDefinition[],
    ownTools: readonly Tool[] = [],
    field: ClientToolsField = 'clientTools',
  ): (deliveries: Deliveries) => readonly Tool[] {
    const limits = this.options.frontendTools;
    const { catalog } = this.launcher.services;
    catalog.assertTools(ownTools);
    checkClientTools(
      definitions,
      limits,
      definitionProblems,
      (name) => catalog.isTaken(name, { tools: ownTools }),
      field,
    );
    if (limits === false) return () => [];
    return (deliveries) =>
      definitions.map((each) => buildFrontendTool(each, deliveries, limits.timeoutMs));
  }

  async requestFor(model: ChatModel, run: RunContext): Promise<LoopRequest> {
    const { systemPrompt } = this.options;
    if (typeof systemPrompt === 'string') return { model, systemPrompt };
    const { principal, request, sessionId, runId } = run;
    const context = {
      runId,
      ...(principal !== undefined && { principal }),
      ...(request !== undefined && { request }),
      ...(sessionId !== undefined && { sessionId }),
    };
    // It may wait for anything: a caller who left must not hold the session for it.
    const prompt = untilAborted(Promise.resolve(systemPrompt(context)), run.abort.signal);
    return { model, systemPrompt: await prompt };
  }
}

function openingEntries(
  runId: string,
  { name, capabilities }: ChatModel,
  { model, environmentContext, messageId, modelOptions }: ChatInput,
  message: Message,
): readonly SessionEntry[] {
  const isSeen = readable(message.content, capabilities) === message.content;
  return [
    {
      type: 'run.started',
      runId,
      ...(model !== undefined && { model }),
      modelName: name,
      ...(environmentContext && { environmentContext }),
      ...(modelOptions && { modelOptions }),
      startedAt: new Date().toISOString(),
    },
    { type: 'message', runId, ...(messageId !== undefined && { id: messageId }), message },
    ...(isSeen ? [] : [notSeen(runId, name)]),
  ];
}

function notSeen(runId: string, modelName: string): SessionEntry {
  const message = `The model ${modelName} cannot read what is attached. It was told so.`;
  return { type: 'noticed', runId, code: NOT_SEEN, message };
}
