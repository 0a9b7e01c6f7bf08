import { HttpException } from '@nestjs/common';
import {
  type BootReport,
  type CallContext,
  subjectOf,
  type Tool,
  type ToolOffer,
} from '../../tool';
import { inTime } from '../stages';
import { thrownText } from '../../internal';
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
    const answers = this.answersOf(context);
    const known = answers?.get(tool);
    if (known !== undefined) return known;
    const answer = this.ask(tool, context);
    answers?.set(tool, answer);
    return answer;
  }

  private answersOf({ run, signal }: CallContext): Answers | undefined {
    if (run === undefined || signal === undefined) return undefined;
    const known = this.ofRuns.get(signal) ?? (new Map() as Answers);
    this.ofRuns.set(signal, known);
    return known;
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
          `Its guards failed when they were asked before a call, so it was not offered: ${thrownText(error)}. Guards that read a route's parameters need offer: 'always'.`,
        );
      }
      return { error };
    }
  }
}
