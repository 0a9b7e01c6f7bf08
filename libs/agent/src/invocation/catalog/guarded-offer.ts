import { HttpException } from '@nestjs/common';
import {
  type BootReport,
  type CallContext,
  subjectOf,
  type Tool,
  type ToolOffer,
} from '../../tool';
import { inTime } from '../stages';
import { getOrAdd, thrownText } from '../../internal';
import { listingContext } from './listing-context';

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
