/**
 * Marks text of others as a quotation, so that a model reads it as information, not as
 * instructions. Closing marks inside the text are defused, so the text cannot end the quotation.
 *
 * @param mark the element's name: lower-case letters and underscores
 * @param notice states the text's origin
 */
export function quoted(mark: string, notice: string, text: string): string {
  const inside = text.replace(new RegExp(`<(?=\\s*/?\\s*${mark})`, 'gi'), '&lt;');
  return `${notice}\n<${mark}>\n${inside}\n</${mark}>`;
}
