import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentTelemetry } from 'nestjs-agent';

type Hooks = Required<Omit<AgentTelemetry, 'measure' | 'queue' | 'trace' | 'seesContent'>>;
type EventOf = Parameters<Hooks['event']>[0];

/** Something that lasted, as a span would be. */
export interface Watched {
  readonly hook: keyof AgentTelemetry;
  readonly info: Readonly<Record<string, unknown>>;
  readonly children: (Watched | EventOf)[];
  end?: Readonly<Record<string, unknown>>;
}

/** Records trees of work, as a tracer does: work that starts within other work is its child. */
export class TelemetryRecorder implements Hooks {
  readonly roots: (Watched | EventOf)[] = [];
  readonly all: Watched[] = [];
  private readonly current = new AsyncLocalStorage<Watched>();

  readonly run: Hooks['run'] = (info, go) => this.watch('run', info, go);
  readonly step: Hooks['step'] = (info, go) => this.watch('step', info, go);
  readonly modelCall: Hooks['modelCall'] = (info, go) => this.watch('modelCall', info, go);
  readonly toolCall: Hooks['toolCall'] = (info, go) => this.watch('toolCall', info, go);
  readonly dispatch: Hooks['dispatch'] = (info, go) => this.watch('dispatch', info, go);
  readonly event: Hooks['event'] = (event) => void this.siblings.push(event);

  /** The work around the calling code. */
  get active(): Watched | undefined {
    return this.current.getStore();
  }

  /** All ends are there. */
  get isOver(): boolean {
    return this.all.every(({ end }) => end !== undefined);
  }

  /** The trees in short, one line for each, indented. */
  get lines(): readonly string[] {
    return this.roots.flatMap((root) => linesOf(root, ''));
  }

  find(hook: keyof AgentTelemetry): readonly Watched[] {
    return this.all.filter((each) => each.hook === hook);
  }

  clear(): void {
    this.roots.length = 0;
    this.all.length = 0;
  }

  private get siblings(): (Watched | EventOf)[] {
    return this.active?.children ?? this.roots;
  }

  private watch(hook: keyof AgentTelemetry, info: object, go: () => Promise<object>) {
    const watched: Watched = { hook, info: { ...info }, children: [] };
    this.siblings.push(watched);
    this.all.push(watched);
    return this.current.run(watched, go).then((end) => (watched.end = { ...end }));
  }
}

function linesOf(node: Watched | EventOf, indent: string): readonly string[] {
  if (!('hook' in node)) return [`${indent}! ${wordsOf(node)}`];
  const { hook, info, end, children } = node;
  const words = ['step', 'tool', 'reason', 'model', 'attempt'].flatMap((key) =>
    key in info ? [String(info[key])] : [],
  );
  const ended = ['status', 'errorCode'].flatMap((key) =>
    end && key in end ? [String(end[key])] : [],
  );
  const line = `${indent}${[hook, ...words].join(' ')}: ${ended.join(' ')}`;
  return [line, ...children.flatMap((child) => linesOf(child, `${indent}  `))];
}

function wordsOf(event: EventOf): string {
  const { type } = event;
  switch (event.type) {
    case 'retry':
      return `${type} ${event.attempt} ${event.errorCode}`;
    case 'fallback':
      return `${type} ${event.from} ${event.to} ${event.errorCode}`;
    case 'approval.required':
      return `${type} ${event.tool}`;
    case 'approval.answered':
      return `${type} ${event.tool} ${event.answer}`;
    case 'tool.refused':
      return `${type} ${event.tool} ${event.outcome} ${event.errorCode}`;
    case 'parked':
      return `${type} ${event.pending.join()}`;
    case 'compaction':
    case 'resumed':
    case 'first_token':
      return type;
  }
}
