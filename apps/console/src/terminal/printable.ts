const CONTROL_CHARACTERS = /(?![\n\t])\p{Cc}/gu;
const PREVIEW_CHARS = 160;

/** Text without control characters: no model or tool may move the cursor or retitle the window. */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '');
}

/** The beginning of a text, on one line. */
export function preview(text: string): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length > PREVIEW_CHARS ? `${line.slice(0, PREVIEW_CHARS - 1)}…` : line;
}
