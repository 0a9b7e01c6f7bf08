import { readMarkup } from './read-markup';
import { ATTRIBUTES, ELEMENTS, REPEATED, REPEATING } from './svg-allow-list';

const SVG = 'http://www.w3.org/2000/svg';
const MAX_CHARS = 50_000;
const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 32;
/** Inside of repeated elements: their number, and characters of an attribute. */
const MAX_REPEATED_ELEMENTS = 16;
const MAX_REPEATED_CHARS = 500;

/**
 * The drawing as an element that can neither run nor load anything, or `undefined` where nothing is
 * left of it. It is built node by node from allowed elements: the markup itself never meets the
 * browser's parser, which reports forbidden attributes as violations of the page's policy.
 *
 * @param scope put before every id, so that no two drawings, nor the chat itself, share one
 */
export function sanitiseSvg(markup: unknown, title: string, scope = ''): SVGSVGElement | undefined {
  if (typeof markup !== 'string' || markup.length > MAX_CHARS) return undefined;
  const svg = document.createElementNS(SVG, 'svg');
  const open: { readonly name: string; readonly element: Element | undefined }[] = [];
  let counts = { all: 0, repeated: 0 };
  for (const { type, value: name, attributes = [], isEmpty } of readMarkup(markup)) {
    const parent = open.at(-1);
    if (type === 'text') parent?.element?.append(name);
    if (type === 'close') {
      const index = open.findLastIndex((each) => each.name === name);
      if (index >= 0) open.splice(index);
      if (index === 0) break;
    }
    if (type !== 'open' || (parent === undefined && name !== 'svg')) continue;
    let element: Element | undefined;
    if (parent === undefined) element = svg;
    else if (parent.element && ELEMENTS.has(name) && open.length < MAX_DEPTH) {
      element = document.createElementNS(SVG, name);
      parent.element.append(element);
    }
    // The content of an element that is not allowed goes with it.
    if (element) {
      const isRepeated = open.some((each) => REPEATED.has(each.name));
      counts = { all: counts.all + 1, repeated: counts.repeated + Number(isRepeated) };
      if (counts.all > MAX_ELEMENTS || counts.repeated > MAX_REPEATED_ELEMENTS) return undefined;
      for (const [key, value] of attributes) {
        const isTooMuch = REPEATING.has(key) || value.length > MAX_REPEATED_CHARS;
        if (!ATTRIBUTES.has(key) || !isLocal(value) || (isRepeated && isTooMuch)) continue;
        const scoped = value.replace(/url\(['"]?#/gi, (reference) => reference + scope);
        element.setAttribute(key, key === 'id' ? scope + value : scoped);
      }
      // Set here; otherwise its content would inherit the reference from an outer element.
      for (const key of REPEATED.has(name) ? REPEATING : []) element.setAttribute(key, 'none');
    }
    if (isEmpty && parent === undefined) break;
    if (!isEmpty) open.push({ name, element });
  }
  if (svg.childElementCount === 0) return undefined;
  svg.removeAttribute('id');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', title);
  return svg;
}

/** References may only name parts of the drawing itself; an escape might hide another one. */
function isLocal(value: string): boolean {
  return !/url\s*\(\s*(?!['"]?#)|image|\\/i.test(value);
}
