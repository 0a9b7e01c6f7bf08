/**
 * The value of a JSON attribute; an empty object if it is missing.
 *
 * @param tag the name of its element
 * @throws TypeError where the attribute is no JSON
 */
export function jsonAttribute(tag: string, attribute: string, json: string | null): unknown {
  if (json === null || json === '') return {};
  try {
    return JSON.parse(json);
  } catch {
    throw new TypeError(`The attribute "${attribute}" of <${tag}> must be a JSON object.`);
  }
}
