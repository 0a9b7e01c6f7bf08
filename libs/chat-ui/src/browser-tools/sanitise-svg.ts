import { readMarkup, type MarkupTag } from './read-markup';
import { ATTRIBUTES, ELEMENTS } from './svg-allow-list';

const SVG = 'http://www.w3.org/2000/svg';
const MAX_CHARS = 200_000;
const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 32;

/**
 * The drawing as an element that can neither run nor load anything, or `undefined` where nothing is
 * left of it. It is built node by node from what is allowed: the markup itself never meets the
 * browser's parser, so there is nothing for the two to disagree about.
 */
export function sanitiseSvg(markup: unknown, title: string): SVGSVGElement | undefined {
  if (typeof markup !== 'string' || markup.length > MAX_CHARS) return undefined;
  const svg = document.createElementNS(SVG, 'svg');
  const open: { readonly name: string; readonly element: Element | undefined }[] = [];
  let count = 0;
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
    if (parent === undefined) {
      if (hasBegun || token.name !== 'svg') continue;
      hasBegun = true;
      element = svg;
    } else if (parent.element && ELEMENTS.has(token.name) && open.length < MAX_DEPTH) {
      count += 1;
      if (count > MAX_ELEMENTS) return undefined;
      element = document.createElementNS(SVG, token.name);
      parent.element.append(element);
    }
    // What stands in an element that is not allowed goes with it.
    if (element) copyAttributes(token, element);
    if (!token.isEmpty) open.push({ name: token.name, element });
  }
  if (svg.childElementCount === 0) return undefined;
  svg.removeAttribute('id');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', title || 'Drawing');
  return svg;
}

function copyAttributes({ attributes }: MarkupTag, element: Element): void {
  for (const [name, value] of attributes) {
    if (ATTRIBUTES.has(name) && isLocal(value)) element.setAttribute(name, value);
  }
}

/** References may only name parts of the drawing itself; an escape might hide another one. */
function isLocal(value: string): boolean {
  return !/url\s*\(\s*(?!['"]?#)|image|\\/i.test(value);
}
