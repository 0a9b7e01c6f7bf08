export type Paint = (text: string) => string;

/** The few looks the console uses. */
export interface Palette {
  readonly dim: Paint;
  readonly tool: Paint;
  readonly failure: Paint;
}

export const plain: Paint = (text) => text;
const escape =
  (code: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[0m`;

const PLAIN: Palette = { dim: plain, tool: plain, failure: plain };
const COLOURED: Palette = { dim: escape(2), tool: escape(36), failure: escape(31) };

/** Colours for a terminal that shows them, unless `NO_COLOR` is set. @see https://no-color.org */
export function paletteFor(stream: { readonly isTTY?: boolean }): Palette {
  return stream.isTTY === true && !process.env.NO_COLOR ? COLOURED : PLAIN;
}
