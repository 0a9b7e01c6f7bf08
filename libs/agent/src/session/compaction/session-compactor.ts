import { firstChars } from '../../internal';
import { countedUsage, estimatedUsage, type Message, type Usage } from '../../message';
import { type AskModel, askModel, type ChatModel } from '../../model';
import { AgentError } from '../../tool';
import { type CompactionOptions, type CompactionPlan, planCompaction } from './compaction';
import { formerCallIdsWith, type SessionEntry, type SessionState } from '../record';
import { summaryMessage, summaryRequest } from './summary';
import { TokenCounter } from './token-counter';

/** The journal entry of a compaction. */
type CompactedEntry = Extract<SessionEntry, { type: 'compacted' }>;

/** The history could not be shortened and is unchanged. The message names the reason. */
export class CompactionError extends AgentError {
  constructor(reason: string, options?: ErrorOptions) {
    super('compaction_failed', `The conversation could not be compacted. ${reason}`, options);
  }
}

/** A request to compact a session's history if it is too long. */
interface CompactionRequest {
  readonly state: SessionState;
  readonly runId: string;
  readonly model: ChatModel;
  readonly signal: AbortSignal;
  /** Calls the model; its `stream` by default. */
  readonly ask?: AskModel;
  /** The text of system prompt and tools, which every model call contains besides messages. */
  readonly surroundings?: () => string;
  /** Halves the messages despite the threshold: the provider found the call too long. */
  readonly force?: boolean;
  /** Receives the tokens of a summary that failed, which no entry contains. */
  readonly onWasted?: (usage: Usage) => void;
}

/** Shortens histories with the model's help. Stores nothing itself. */
export class SessionCompactor {
  private readonly counter = new TokenCounter();

  constructor(
    private readonly options: Pick<CompactionOptions, 'thresholdTokens' | 'keepRecentTokens'>,
  ) {}

  /**
   * The entry to append; `undefined` if the history is short enough.
   *
   * @throws CompactionError if the summary failed or nothing can be cut; the signal's reason if it
   *   was aborted
   */
  async compact(request: CompactionRequest): Promise<CompactedEntry | undefined> {
    const plan = await this.plan(request);
    switch (plan.kind) {
      case 'unneeded':
        return undefined;
      case 'impossible':
        throw new CompactionError(plan.reason);
      case 'compact':
        return this.summarise(request, plan);
    }
  }

  private async plan({
    state,
    surroundings = () => '',
    force = false,
  }: CompactionRequest): Promise<CompactionPlan> {
    const { thresholdTokens, keepRecentTokens } = this.options;
    const limit = force ? 0 : thresholdTokens;
    const totalTokens = await this.counter.estimate(state, limit, surroundings);
    if (totalTokens <= limit) return { kind: 'unneeded' };
    const { messages } = state;
    return planCompaction({
      messages,
      tokens: await this.counter.countEach(messages),
      surroundingTokens: await this.counter.countText(surroundings()),
      totalTokens,
      thresholdTokens,
      keepRecentTokens,
      force,
    });
  }

  private async summarise(
    { state, runId, model, signal, ask = askModel(model), onWasted }: CompactionRequest,
    plan: Extract<CompactionPlan, { kind: 'compact' }>,
  ): Promise<CompactedEntry> {
    const quotation = await this.count(summaryMessage(''));
    const room = plan.summaryTokens - quotation;
    const asked = await askForSummary(ask, plan.summarise, room, signal);
    const text = asked.text.trim();
    const [inputTokens, outputTokens] = [plan.totalTokens, await this.counter.countText(text)];
    // Providers that do not count must not lift a budget, so the estimate is cautious.
    const { usage = estimatedUsage(inputTokens, outputTokens), failure } = asked;
    if (failure) {
      if (asked.hasBegun) onWasted?.(usage);
      signal.throwIfAborted();
      throw failure;
    }
    const summary = summaryMessage(await this.fitted(text, room));
    const { positions, activeGroups, rememberedTools } = state;
    const { keepFrom, keepAlso } = plan;
    const formerCallIds = formerCallIdsWith(state, plan.summarise);
    return {
      type: 'compacted',
      runId,
      summary,
      keepFrom: positions[keepFrom] ?? 0,
      ...(keepAlso !== undefined && { keepAlso: positions[keepAlso] ?? 0 }),
      tokensBefore: plan.totalTokens,
      tokensAfter: Math.ceil((plan.keptTokens + (await this.count(summary))) * plan.scale),
      messages: plan.summarise.length,
      usage,
      ...(activeGroups && { activeGroups }),
      rememberedTools,
      ...(formerCallIds.length > 0 && { formerCallIds }),
    };
  }

  /** Truncates a summary that is too long: models do not always respect the limit. */
  private async fitted(text: string, room: number): Promise<string> {
    let fitting = text;
    for (;;) {
      const tokens = await this.count(summaryMessage(fitting));
      const excess = tokens - (await this.count(summaryMessage(''))) - room;
      if (excess <= 0 || fitting === '') return fitting;
      const share = Math.max(0, 1 - (excess + 8) / tokens);
      fitting = firstChars(fitting, Math.floor(fitting.length * share));
    }
  }

  private async count(message: Message): Promise<number> {
    const [tokens = 0] = await this.counter.countEach([message]);
    return tokens;
  }
}

/** A model's answer to the request for a summary. */
interface AskedSummary {
  readonly text: string;
  /** As the provider reports it. */
  readonly usage?: Usage;
  /** Whether the model has sent anything. */
  readonly hasBegun: boolean;
  readonly failure?: CompactionError;
}

async function askForSummary(
  ask: AskModel,
  messages: readonly Message[],
  maxTokens: number,
  signal: AbortSignal,
): Promise<AskedSummary> {
  let text = '';
  let usage: Usage | undefined;
  let hasBegun = false;
  let isRefused = false;
  const answer = (reason?: string, options?: ErrorOptions): AskedSummary => ({
    text,
    ...(usage && { usage }),
    hasBegun,
    ...(reason !== undefined && { failure: new CompactionError(reason, options) }),
  });
  try {
    await ask(summaryRequest(messages, maxTokens), signal, (events) => {
      hasBegun = true;
      for (const event of events) {
        if (event.type === 'text.delta') text += event.delta;
        if (event.type !== 'finish') continue;
        isRefused = event.reason === 'error' || event.reason === 'refusal';
        usage = countedUsage(event.usage);
      }
    });
    signal.throwIfAborted();
  } catch (error) {
    return answer('The model failed to summarise it.', { cause: error });
  }
  return isRefused || text.trim() === '' ? answer('The model gave no summary.') : answer();
}
