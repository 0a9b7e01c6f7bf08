import { type JsonObject, type Message, textOf } from '../../message';
import type { ToolDefinition } from '../../tool';
import type { ModelRequest } from '../chat-model';
import { coerce, type Memory } from './argument.filler';
import { splitRequests } from './language';
import { memoryOf, readTurn, saidIn, type Turn } from './conversation.reader';
import type { Parameter } from './json-schema.reader';
import { groupsFor, META_TOOLS, toolsFound, toolsLearned, wasAsked } from './meta-tools';
import {
  answerToQuestion,
  cannot,
  greeting,
  introduction,
  isCancelling,
  isSmallTalk,
  questionFor,
  whatItCanDo,
  withoutIntroduction,
} from './replies';
import { phraseResult } from './result.phrasing';
import { ToolRanker, type Candidate } from './tool.ranker';

interface PlannedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** The model's next turn: a text, or tool calls. */
export type NextStep =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'call'; readonly calls: readonly PlannedCall[] };

type Outcome =
  | { readonly type: 'call' | 'meta'; readonly call: PlannedCall }
  | { readonly type: 'say'; readonly text: string };

/** Maximum number of tool look-ups in a turn, so that fruitless look-ups end. */
const MAX_LOOKUPS = 6;

/** Plans the next step from the history alone, so the same history always gives the same step. */
export function planNextStep(request: ModelRequest): NextStep {
  return new TurnPlanner(request).next();
}

class TurnPlanner {
  private readonly turn: Turn;
  private readonly since: readonly Message[];
  private readonly memory: Memory;
  private readonly tools: readonly ToolDefinition[];
  private readonly ranker: ToolRanker;

  constructor(private readonly request: ModelRequest) {
    const { messages } = request;
    this.turn = readTurn(messages);
    this.since = messages.slice(this.turn.earlier.length);
    this.memory = memoryOf(this.turn.earlier);
    this.tools = knownTools(request);
    this.ranker = new ToolRanker(this.tools);
  }

  next(): NextStep {
    const { ask, calls } = this.turn;
    const done = calls.filter(({ name }) => !META_TOOLS.has(name));
    const lookups = calls.length - done.length;
    if (this.request.tools.length === 0 || this.request.toolChoice === 'none') {
      return this.say(done.length > 0 ? done.map(phraseResult) : [whatItCanDo(this.tools)]);
    }
    const isForced = this.isForced() && calls.length === 0;
    if (!isForced && calls.length === 0) {
      if (ask.trim() === '' || isSmallTalk(ask)) return this.say([greeting(ask, this.tools)]);
      if (isCancelling(ask)) return this.say(['All right, I left it.']);
    }
    const stages = this.stages(isForced);
    let position = 0;
    const remarks: string[] = [];
    for (const stage of stages) {
      const outcomes: Outcome[] = [];
      for (const clause of stage) {
        const outcome = this.outcomeFor(clause, isForced, lookups);
        if (outcome.type !== 'call') {
          outcomes.push(outcome);
          continue;
        }
        if (position < done.length) position++;
        else outcomes.push(outcome);
      }
      const meta = outcomes.filter(({ type }) => type === 'meta');
      const wanted = meta.length > 0 ? meta : outcomes.filter(({ type }) => type === 'call');
      const hasFailed = done.some(({ isError }) => isError);
      if (wanted.length > 0) {
        // The rest of the plan is dropped: it may depend on the failed step.
        if (hasFailed && position >= done.length && stages.indexOf(stage) > 0) {
          remarks.push('I left the rest, because a step before it failed.');
          break;
        }
        return {
          type: 'call',
          calls: unique(wanted.flatMap((one) => ('call' in one ? one.call : []))),
        };
      }
      for (const outcome of outcomes) if (outcome.type === 'say') remarks.push(outcome.text);
    }
    return this.say([...done.map(phraseResult), ...remarks]);
  }

  private isForced(): boolean {
    const { toolChoice } = this.request;
    return toolChoice === 'required' || typeof toolChoice === 'object';
  }

  private stages(isForced: boolean): readonly (readonly string[])[] {
    const { ask } = this.turn;
    if (isForced) return [[ask]];
    if (this.pending() !== undefined) return [[ask]];
    const stages = splitRequests(ask, this.ranker.words);
    return stages.length === 0 ? [[ask]] : stages;
  }

  /** The model's last question, if this message answers it. */
  private pending(): { readonly tool: ToolDefinition; readonly clause: string } | undefined {
    const last = this.turn.earlier.findLast(({ role }) => role === 'assistant');
    const question = last === undefined ? undefined : answerToQuestion(textOf(last), this.turn.ask);
    const tool = this.tools.find(({ name }) => name === question);
    if (tool === undefined) return undefined;
    const asked = this.turn.earlier.filter(
      (message) => message.role === 'user' && textOf(message) !== '',
    );
    const latest = asked.at(-1);
    return { tool, clause: latest === undefined ? '' : saidIn(latest) };
  }

  private outcomeFor(clause: string, isForced: boolean, lookups: number): Outcome {
    const pending = isForced ? undefined : this.pending();
    const candidate =
      pending === undefined
        ? this.ranker.best(clause, this.memory, isForced)
        : this.continued(pending.tool, pending.clause);
    if (candidate === undefined) return this.lookUp(clause, lookups);
    const { tool, input, missing } = candidate;
    const detail = this.detailOf(tool, lookups);
    if (detail !== undefined) return { type: 'meta', call: detail };
    if (missing.length > 0 && !isForced) return { type: 'say', text: questionFor(tool, missing) };
    return { type: 'call', call: { name: tool.name, input } };
  }

  /** The previous request, completed with the answer to its question. */
  private continued(tool: ToolDefinition, clause: string): Candidate | undefined {
    const { ask } = this.turn;
    const ranker = new ToolRanker([tool]);
    const before = ranker.best(clause, this.memory, true);
    if (before === undefined) return undefined;
    const together = ranker.best(`${clause} ${ask}`, this.memory, true) ?? before;
    const input: JsonObject = { ...together.input, ...before.input };
    const open = before.missing.filter(({ name }) => !(name in input));
    const [first] = open;
    const filled: JsonObject = first === undefined ? input : { ...input, ...answerAs(first, ask) };
    return {
      ...before,
      input: filled,
      missing: before.missing.filter(({ name }) => !(name in filled)),
    };
  }

  /** Reads the details of a tool that is only known by its summary before calling it. */
  private detailOf(tool: ToolDefinition, lookups: number): PlannedCall | undefined {
    const isOffered = this.request.tools.some(({ name }) => name === 'tool_detail');
    if (!isOffered || tool.input_schema.properties !== undefined) return undefined;
    const input = { name: tool.name };
    if (lookups >= MAX_LOOKUPS || wasAsked('tool_detail', input, this.request.messages)) {
      return undefined;
    }
    return { name: 'tool_detail', input };
  }

  /** No active tool fits: searches for others, or equips a group of them. */
  private lookUp(clause: string, lookups: number): Outcome {
    const offered = (name: string) => this.request.tools.find((tool) => tool.name === name);
    const equip = offered('reset_equipped_tools');
    if (equip !== undefined && lookups < MAX_LOOKUPS) {
      const input = { to_activate: groupsFor(clause, equip) };
      if (input.to_activate.length > 0 && !wasAsked(equip.name, input, this.since)) {
        return { type: 'meta', call: { name: equip.name, input } };
      }
    }
    const input = { query: clause };
    const canSearch = offered('search_tools') !== undefined && lookups < MAX_LOOKUPS;
    if (canSearch && !wasAsked('search_tools', input, this.since)) {
      return { type: 'meta', call: { name: 'search_tools', input } };
    }
    return { type: 'say', text: cannot(clause, this.tools) };
  }

  private say(parts: readonly string[]): NextStep {
    const intro = this.turn.isFirstReply ? [introduction()] : [];
    return { type: 'say', text: [...intro, ...parts.map(withoutIntroduction)].join('\n\n') };
  }
}

function knownTools(request: ModelRequest): readonly ToolDefinition[] {
  const { toolChoice, tools, messages } = request;
  if (typeof toolChoice === 'object') {
    const chosen = tools.filter(({ name }) => name === toolChoice.name);
    if (chosen.length > 0) return chosen;
  }
  const byName = new Map<string, ToolDefinition>();
  // The best known comes last: summaries, offered tools, details from `tool_detail`.
  const offered = tools.filter(({ name }) => !META_TOOLS.has(name));
  for (const tool of [...toolsFound(messages), ...offered]) byName.set(tool.name, tool);
  for (const tool of toolsLearned(messages)) {
    if (byName.get(tool.name)?.input_schema.properties === undefined) byName.set(tool.name, tool);
  }
  return [...byName.values()];
}

function answerAs({ name, schema }: Parameter, answer: string): JsonObject {
  const text = answer.trim().replace(/^["'“]|["'”.!]$/g, '');
  const value = coerce(schema, text);
  if (typeof value === 'number' && !Number.isFinite(value)) return {};
  if (schema.enum !== undefined && !schema.enum.includes(value)) return {};
  return { [name]: value };
}

function unique(calls: readonly PlannedCall[]): readonly PlannedCall[] {
  const seen = new Set<string>();
  return calls.filter((call) => {
    const key = JSON.stringify(call);
    if (seen.has(key) && META_TOOLS.has(call.name)) return false;
    seen.add(key);
    return true;
  });
}
