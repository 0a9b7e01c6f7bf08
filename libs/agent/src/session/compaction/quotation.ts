/**
 * Text that others wrote, marked as such, so that a model reads it as information and not as
 * orders. The text cannot end its own quotation: what looks like the mark is defused.
 *
 * @param mark the element's name: lower-case letters and underscores
 * @param notice says where the text is from
 */
export function quoted(mark: string, notice: string, text: string): string {
  const inside = text.replace(new RegExp(`<(?=\\s*/?\\s*${mark})`, 'gi'), '&lt;');
  return `${notice}\n<${mark}>\n${inside}\n</${mark}>`;
}
