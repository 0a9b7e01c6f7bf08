import { HttpException } from '@nestjs/common';
import {
  type BootReport,
  type CallContext,
  subjectOf,
  type Tool,
  type ToolOffer,
  type ToolCall,
  type ToolResponse,
} from '../../tool';
import { inTime } from '../stages';
import { getOrAdd, thrownText } from '../../internal';
import { CallNotPendingError, LiveToolContext } from '../call';

/** The refusal of a tool's guards. */
export interface GuardRefusal {
  readonly error: unknown;
}

type Answers = Map<Tool, Promise<GuardRefusal | undefined>>;

/** Checks the guards of `guarded` tools, once per run and tool. */
export class GuardedOffer {
  /** Keyed by the run's signal, which all its calls share. */
  private readonly ofRuns = new WeakMap<AbortSignal, Answers>();

  constructor(
    private readonly byDefault: ToolOffer,
    private readonly report?: BootReport,
  ) {}

  isGuarded(tool: Tool): boolean {
    return (tool.offer ?? this.byDefault) === 'guarded' && 'askGuards' in tool;
  }

  /** `undefined` if the tool may be offered to this caller. */
  async refusal(tool: Tool, context: CallContext): Promise<GuardRefusal | undefined> {
    if (!this.isGuarded(tool)) return undefined;
    const { run, signal } = context;
    const ask = (): ReturnType<GuardedOffer['ask']> => this.ask(tool, context);
    if (run === undefined || signal === undefined) return ask();
    const answers = getOrAdd(this.ofRuns, signal, (): Answers => new Map());
    return getOrAdd(answers, tool, ask);
  }

  private async ask(tool: Tool, context: CallContext): Promise<GuardRefusal | undefined> {
    try {
      await inTime(tool.askGuards?.(listingContext(tool, context)), context.signal);
      return undefined;
    } catch (error) {
      // A refusal is an HttpException; other errors are guards that need data of the call.
      if (!(error instanceof HttpException) && context.signal?.aborted !== true) {
        this.report?.add(
          subjectOf(tool),
          `Its guards failed when they were asked before a call, so it was not offered: ${thrownText(error)}. If they read the route's parameters, set offer: 'always'.`,
        );
      }
      return { error };
    }
  }
}

/** The context for a tool's `visible`. Its call has no arguments and cannot be executed. */
export function listingContext(tool: Tool, context: CallContext): LiveToolContext {
  const { name } = tool.definition;
  const response: Omit<ToolResponse, 'call'> = {
    status: 'not_found',
    durationMs: 0,
    attempts: 0,
    logs: [],
    execute: () => Promise.reject(new CallNotPendingError(name, 'only being listed')),
  };
  const call: Omit<ToolCall, 'response'> = { id: '', name, input: {}, tool };
  const listed: ToolCall = {
    ...call,
    response: {
      ...response,
      get call() {
        return listed;
      },
    },
  };
  return new LiveToolContext(listed, context.signal, context);
}
