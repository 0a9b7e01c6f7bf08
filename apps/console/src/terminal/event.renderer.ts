import { type AgentEvent, resultText } from 'nestjs-agent';
import { type Paint, type Palette, plain } from './palette';
import { preview, printable } from './printable';

/** Writes a run's events to a terminal: text as it comes, everything else on lines of its own. */
export class EventRenderer {
  private isLineOpen = false;
  /** The asked agent that the open line is of. */
  private speaker: string | undefined;

  constructor(
    private readonly write: (text: string) => void,
    private readonly palette: Palette,
  ) {}

  render(event: AgentEvent): void {
    const { dim, tool, failure } = this.palette;
    // Whose call it is, of an agent that was asked.
    const by = event.agent === undefined ? '' : `${event.agent}: `;
    switch (event.type) {
      case 'text.delta':
        return this.stream(event.delta);
      case 'thinking.delta':
      case 'agent.text.delta':
        return this.stream(event.delta, dim, event.agent);
      case 'tool.call':
        return this.line(`→ ${by}${event.name} ${preview(JSON.stringify(event.input))}`, tool);
      case 'tool.progress':
        return this.line(`  · ${preview(JSON.stringify(event.data))}`, dim);
      case 'tool.result':
        return event.isError
          ? this.line(`✗ ${by}${event.name}: ${preview(resultText(event.output))}`, failure)
          : this.line(`✓ ${by}${event.name} (${event.durationMs} ms)`, dim);
      case 'approval.required':
        return this.line(`? ${by}${event.name} waits for approval: ${preview(event.reason)}`, tool);
      case 'frontend.call':
        return this.line(`? ${by}${event.name} can only run in a browser`, tool);
      case 'provider.tool':
        return this.line(`→ ${by}${event.name} (run by the provider)`, tool);
      case 'source':
        return this.line(`  ${event.title ?? ''} ${event.url}`, dim);
      case 'notice':
        return this.line(`(${event.message})`, dim);
      case 'compaction':
        return this.line(`(${event.messages} earlier messages were summarised)`, dim);
      case 'error':
        return this.line(`${event.code}: ${event.message}`, failure);
      case 'run.finished':
        return event.status === 'cancelled' ? this.line('(cancelled)', dim) : this.closeLine();
      case 'step.discarded':
        return this.line('(broken off: the step is repeated)', dim);
      case 'run.started':
      case 'step.started':
      case 'tool.input.delta':
      case 'step.finished':
        return;
    }
  }

  /** Several agents may stream at the same time: each has its own lines. */
  private stream(delta: string, paint: Paint = plain, speaker?: string): void {
    const text = printable(delta);
    if (text === '') return;
    if (speaker !== this.speaker) this.closeLine();
    if (speaker !== undefined && !this.isLineOpen) this.write(paint(printable(`${speaker}: `)));
    this.speaker = speaker;
    this.write(paint(text));
    this.isLineOpen = !text.endsWith('\n');
  }

  private line(text: string, paint: Paint = plain): void {
    this.closeLine();
    this.write(`${paint(printable(text))}\n`);
  }

  private closeLine(): void {
    if (this.isLineOpen) this.write('\n');
    this.isLineOpen = false;
  }
}
