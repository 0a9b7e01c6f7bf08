import { readMarkup, type MarkupTag } from './read-markup';
import { ATTRIBUTES, ELEMENTS, REPEATED, REPEATING } from './svg-allow-list';

const SVG = 'http://www.w3.org/2000/svg';
const MAX_CHARS = 50_000;
const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 32;
/** Inside what is repeated: elements in all, and characters of an attribute. */
const MAX_REPEATED_ELEMENTS = 16;
const MAX_REPEATED_CHARS = 500;

/**
 * The drawing as an element that can neither run nor load anything, or `undefined` where nothing is
 * left of it. It is built node by node from what is allowed: the markup itself never meets the
 * browser's parser, so there is nothing for the two to disagree about.
 *
 * @param scope put before every id, so that no two drawings, nor the chat itself, share one
 */
export function sanitiseSvg(markup: unknown, title: string, scope = ''): SVGSVGElement | undefined {
  if (typeof markup !== 'string' || markup.length > MAX_CHARS) return undefined;
  const svg = document.createElementNS(SVG, 'svg');
  const open: { readonly name: string; readonly element: Element | undefined }[] = [];
  let count = 0;
  let repeatedCount = 0;
  let hasBegun = false;
  for (const token of readMarkup(markup)) {
    if (token.type === 'text') {
      open.at(-1)?.element?.append(token.text);
      continue;
    }
    if (token.type === 'close') {
      const index = open.findLastIndex(({ name }) => name === token.name);
      if (index >= 0) open.splice(index);
      if (open.length === 0 && hasBegun) break;
      continue;
    }
    const parent = open.at(-1);
    let element: Element | undefined;
    let isRepeated = false;
    if (parent === undefined) {
      if (hasBegun || token.name !== 'svg') continue;
      hasBegun = true;
      element = svg;
    } else if (parent.element && ELEMENTS.has(token.name) && open.length < MAX_DEPTH) {
      count += 1;
      isRepeated = open.some(({ name }) => REPEATED.has(name));
      if (isRepeated) repeatedCount += 1;
      if (count > MAX_ELEMENTS || repeatedCount > MAX_REPEATED_ELEMENTS) return undefined;
      element = document.createElementNS(SVG, token.name);
      parent.element.append(element);
    }
    // What stands in an element that is not allowed goes with it.
    if (element) copyAttributes(token, element, { scope, isRepeated });
    if (element && REPEATED.has(token.name)) {
      // Said here, or what stands in it would inherit it from around it.
      for (const name of REPEATING) element.setAttribute(name, 'none');
    }
    if (!token.isEmpty) open.push({ name: token.name, element });
  }
  if (svg.childElementCount === 0) return undefined;
  svg.removeAttribute('id');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', title || 'Drawing');
  return svg;
}

function copyAttributes(
  { attributes }: MarkupTag,
  element: Element,
  { scope, isRepeated }: { readonly scope: string; readonly isRepeated: boolean },
): void {
  for (const [name, value] of attributes) {
    if (!ATTRIBUTES.has(name) || !isLocal(value)) continue;
    if (isRepeated && (REPEATING.has(name) || value.length > MAX_REPEATED_CHARS)) continue;
    const scoped = value.replace(/url\(['"]?#/gi, (reference) => reference + scope);
    element.setAttribute(name, name === 'id' ? scope + value : scoped);
  }
}

/** References may only name parts of the drawing itself; an escape might hide another one. */
function isLocal(value: string): boolean {
  return !/url\s*\(\s*(?!['"]?#)|image|\\/i.test(value);
}
