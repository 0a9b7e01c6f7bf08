import type { JsonValue, ResultContent, StopReason } from '../wire/protocol';

/** A stretch of time in the unit that fits: `340 ms`, `2.4 s`, `1 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** `list_applications` as people write it: `List applications`. */
export function title(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A tool's output as text; JSON is indented. */
export function outputText(output: ResultContent): string {
  if (typeof output !== 'string') {
    return output
      .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
      .join('\n');
  }
  return isJsonText(output) ? json(JSON.parse(output) as JsonValue) : output;
}

export function json(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What the user should know of how an answer ended; nothing where it just ended. */
export function endingOf(stopReason: StopReason | undefined): string | undefined {
  switch (stopReason) {
    case 'max_tokens':
      return 'The answer was cut off: it reached its longest length.';
    case 'refusal':
      return 'The model declined to answer.';
    case 'budget':
      return 'The budget of this run is used up.';
    case 'loop':
      return 'Stopped: the agent went round in circles.';
    case 'cancelled':
      return 'Stopped.';
    default:
      return undefined;
  }
}

/** When something was, in few words. */
export function when(iso: string): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return isToday ? time : `${date.toLocaleDateString()} ${time}`;
}
