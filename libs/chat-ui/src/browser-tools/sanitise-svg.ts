import createDOMPurify from 'dompurify';

const TAGS = [
  ...['svg', 'g', 'defs', 'title', 'desc', 'symbol', 'use', 'marker', 'clipPath', 'mask'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan'],
  ...['linearGradient', 'radialGradient', 'stop', 'pattern'],
];

const ATTRIBUTES = [
  ...['viewbox', 'width', 'height', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry'],
  ...['fx', 'fy', 'd', 'points', 'dx', 'dy', 'rotate', 'transform', 'preserveaspectratio', 'id'],
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'opacity'],
  ...['stroke-linecap', 'stroke-linejoin', 'stroke-dasharray', 'stroke-dashoffset', 'color'],
  ...['stroke-miterlimit', 'font-size', 'font-family', 'font-weight', 'font-style', 'text-anchor'],
  ...[
    'dominant-baseline',
    'letter-spacing',
    'textlength',
    'lengthadjust',
    'clip-path',
    'clip-rule',
  ],
  ...['mask', 'marker-start', 'marker-mid', 'marker-end', 'markerwidth', 'markerheight', 'refx'],
  ...['refy', 'orient', 'markerunits', 'offset', 'stop-color', 'stop-opacity', 'gradientunits'],
  ...['gradienttransform', 'spreadmethod', 'patternunits', 'patterntransform', 'maskunits', 'href'],
];

const MAX_CHARS = 200_000;

/**
 * The drawing as an element that can neither run nor load anything, or `undefined` where nothing is
 * left of it. References may only name parts of the drawing itself.
 */
export function sanitiseSvg(markup: unknown, title: string): SVGSVGElement | undefined {
  if (typeof markup !== 'string' || markup.length > MAX_CHARS) return undefined;
  const purifier = createDOMPurify(window);
  purifier.addHook('uponSanitizeAttribute', (_node, attribute) => {
    const { attrName, attrValue } = attribute;
    const isForeign =
      attrName === 'href'
        ? !/^#[\w-]+$/.test(attrValue.trim())
        : /url\s*\(\s*(?!['"]?#)|\\|javascript:/i.test(attrValue);
    if (isForeign) attribute.keepAttr = false;
  });
  const fragment = purifier.sanitize(markup, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // Ids live in the shadow root's own scope: they can hide nothing of the page's.
    SANITIZE_DOM: false,
    RETURN_DOM_FRAGMENT: true,
  });
  const svg = fragment.querySelector('svg');
  if (svg === null || svg.childElementCount === 0) return undefined;
  svg.removeAttribute('id');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', title || 'Drawing');
  return svg;
}
