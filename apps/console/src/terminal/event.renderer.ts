import { type AgentEvent, resultText } from 'nestjs-agent';
import type { Palette } from './palette';
import { preview, printable } from './printable';

/** Writes a run's events to a terminal: text as it comes, everything else on lines of its own. */
export class EventRenderer {
  private isLineOpen = false;

  constructor(
    private readonly write: (text: string) => void,
    private readonly palette: Palette,
  ) {}

  render(event: AgentEvent): void {
    const { dim, tool, failure } = this.palette;
    switch (event.type) {
      case 'text.delta':
        return this.stream(printable(event.delta));
      case 'thinking.delta':
        return this.stream(printable(event.delta), dim);
      case 'tool.call':
        return this.line(tool(`→ ${event.name} ${preview(JSON.stringify(event.input))}`));
      case 'tool.progress':
        return this.line(dim(`  · ${preview(JSON.stringify(event.data))}`));
      case 'tool.result':
        return this.line(
          event.isError
            ? failure(`✗ ${event.name}: ${preview(resultText(event.output))}`)
            : dim(`✓ ${event.name} (${Math.round(event.durationMs)} ms)`),
        );
      case 'approval.required':
        return this.line(tool(`? ${event.name} waits for approval: ${preview(event.reason)}`));
      case 'frontend.call':
        return this.line(tool(`? ${event.name} can only run in a browser`));
      case 'compaction':
        return this.line(dim(`(${event.messages} earlier messages were summarised)`));
      case 'error':
        return this.line(failure(`${event.code}: ${printable(event.message)}`));
      case 'run.finished':
        return event.status === 'cancelled' ? this.line(dim('(cancelled)')) : this.closeLine();
      case 'run.started':
      case 'tool.input.delta':
      case 'step.finished':
        return;
    }
  }

  private stream(text: string, paint: (text: string) => string = (plain) => plain): void {
    if (text === '') return;
    this.write(paint(text));
    this.isLineOpen = !text.endsWith('\n');
  }

  private line(text: string): void {
    this.closeLine();
    this.write(`${text}\n`);
  }

  private closeLine(): void {
    if (this.isLineOpen) this.write('\n');
    this.isLineOpen = false;
  }
}
