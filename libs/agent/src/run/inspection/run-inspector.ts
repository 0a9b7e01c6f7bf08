import { defined } from '../../internal';
import { costOf, type JsonObject, type Message, type Usage } from '../../message';
import type { ChatModel } from '../../model';
import { sessionStateOf, shownInputsIn, type SessionStore, type StoredEntry } from '../../session';
import type { CallContext } from '../../tool';
import { promptFor } from '../context';
import type { SessionAccess, SessionClaim } from '../execution';
import { type LoopServices, messagesFor, surroundingsOf } from '../loop';
import { type ChatOptions, RunNotFoundError, shownMessages, toolsOf } from '../request';
import { configuredPrices } from '../spending';
import type {
  InspectedModel,
  InspectedRequest,
  RunPage,
  RunTimeline,
  SessionTimeline,
} from './timeline';
import { type Showing, timelinesOf } from './timeline-fold';

/** The number of sessions read for one page of runs. */
const SESSIONS_PER_PAGE = 20;

/** Reads a caller's runs from the journal, with the data that the caller may see. */
export class RunInspector {
  constructor(
    private readonly services: LoopServices,
    private readonly store: SessionStore,
    private readonly sessions: SessionAccess,
  ) {}

  /**
   * The runs of a caller, the last used session first; none for anonymous callers.
   *
   * @param search only those that contain this text anywhere
   */
  async list(
    principal: string | undefined,
    { search = '', offset = 0 }: { readonly search?: string; readonly offset?: number },
  ): Promise<RunPage> {
    if (principal === undefined) return { runs: [] };
    const agent = this.services.options.agent ?? null;
    const records = await this.store.list(principal, { limit: SESSIONS_PER_PAGE, offset, agent });
    const wanted = search.toLowerCase();
    const runs: RunPage['runs'][number][] = [];
    // In sequence, so that only one journal at a time is in memory.
    for (const { id } of records) {
      const timelines = this.timelinesOf(id, await this.store.read(id));
      for (const { items, ...run } of timelines.toReversed()) {
        if (wanted === '' || textsOf({ items, ...run }).includes(wanted)) runs.push(run);
      }
    }
    const isLast = records.length < SESSIONS_PER_PAGE;
    return { runs, ...(!isLast && { nextOffset: offset + SESSIONS_PER_PAGE }) };
  }

  /** @throws SessionNotFoundError if this caller has no such session */
  async session(sessionId: string, { principal }: SessionClaim): Promise<SessionTimeline> {
    const entries = await this.entriesOf(sessionId, principal);
    return { sessionId, runs: this.timelinesOf(sessionId, entries) };
  }

  /**
   * One run.
   *
   * @throws SessionNotFoundError if this caller has no such session
   * @throws RunNotFoundError for a run of another session
   */
  async run(sessionId: string, runId: string, claim: SessionClaim): Promise<RunTimeline> {
    const { runs } = await this.session(sessionId, claim);
    const found = runs.find((run) => run.runId === runId);
    if (found === undefined) throw new RunNotFoundError();
    return found;
  }

  /**
   * The request of a step, rebuilt as the loop builds it: from the journal's messages, and from this
   * caller's current prompt and tools.
   *
   * @throws SessionNotFoundError if this caller has no such session
   * @throws RunNotFoundError if the session has no such step
   */
  async request(
    { sessionId, runId, step }: Record<'sessionId' | 'runId', string> & { readonly step: number },
    caller: ChatOptions,
  ): Promise<InspectedRequest> {
    const { principal, request } = caller;
    const entries = await this.entriesOf(sessionId, principal);
    const end = entries.findIndex(
      ({ entry }) => entry.type === 'step.finished' && entry.runId === runId && entry.step === step,
    );
    if (end < 0) throw new RunNotFoundError();
    const state = sessionStateOf(entries.slice(0, end));
    const { activeGroups, rememberedTools, wholeFrom, run } = state;
    const model = this.modelOf(run?.model);
    const asked = defined({ runId, principal, request, sessionId });
    const context: CallContext = { ...asked, ...defined({ activeGroups }), rememberedTools };
    const { options, catalog } = this.services;
    const tools = model.capabilities.tools ? await catalog.forModel(context, state.messages) : [];
    const surroundings = surroundingsOf({
      systemPrompt: await promptFor(asked, options.systemPrompt),
      environmentContext: run?.environmentContext,
      settings: run?.modelOptions,
      tools,
      steps: step - 1,
      limits: options,
    });
    const before = shownInputsIn(entries);
    const messages = messagesFor(model, state.messages).map((each) => this.shown(each, before));
    return {
      step,
      model: model.name,
      request: { ...surroundings, messages },
      isCompacted: wholeFrom !== undefined,
      sources: { messages: 'journal', system: 'now', tools: 'now' },
    };
  }

  /** The models of the module, the default one first, with their prices if configured. */
  listModels(): readonly InspectedModel[] {
    const { options } = this.services;
    return this.services.models
      .list()
      .map(([name, { name: modelName }]) =>
        defined({ name, modelName, prices: configuredPrices(options, modelName) }),
      );
  }

  private async entriesOf(
    sessionId: string,
    principal: string | undefined,
  ): Promise<readonly StoredEntry[]> {
    const { id } = await this.sessions.find(sessionId, principal);
    return this.store.read(id);
  }

  /** The default model if this one is no longer configured. */
  private modelOf(name: string | undefined): ChatModel {
    try {
      return this.services.models.named(name);
    } catch {
      return this.services.models.named(undefined);
    }
  }

  private timelinesOf(sessionId: string, entries: readonly StoredEntry[]): readonly RunTimeline[] {
    const { calls } = this.services;
    const showing: Showing = {
      input: (name, input, before) => this.inputOf(name, input, before),
      redacted: (input) => calls.shownInput(undefined, input),
      blocks: (content, before) => this.shown({ role: 'assistant', content }, before).content,
      cost: (modelName, usage) => this.costOf(modelName, usage),
    };
    return timelinesOf(sessionId, entries, showing);
  }

  /** A message as in transcripts, with arguments redacted as in audit records. */
  private shown(message: Message, before: ReadonlyMap<string, JsonObject>): Message {
    const [shown = message] = shownMessages([message], toolsOf(this.services.catalog), before);
    const content = shown.content.map((block) =>
      block.type === 'tool_use'
        ? { ...block, input: this.inputOf(block.name, block.input) }
        : block,
    );
    return { ...shown, content };
  }

  /** @param before the arguments as shown before, for a removed tool */
  private inputOf(name: string, input: JsonObject, before = input): JsonObject {
    const { calls, catalog } = this.services;
    const tool = catalog.find(name, {});
    return calls.shownInput(tool, tool ? input : before);
  }

  private costOf(modelName: string, usage: Usage): number | undefined {
    const prices = configuredPrices(this.services.options, modelName);
    return prices && costOf(usage, prices);
  }
}

/** All texts of a run, in lower case. */
function textsOf(run: RunTimeline): string {
  return JSON.stringify(run).toLowerCase();
}
