/**
 * The elements of a drawing. None runs, loads, links or is animated. Of those that repeat other parts
 * (nested, they take exponential time to paint) only `REPEATED`, not `use`, `pattern` or `mask`.
 */
export const ELEMENTS = setOf(
  'g defs title desc path rect circle ellipse line polyline polygon text tspan ' +
    'linearGradient radialGradient stop marker clipPath',
);

export const ATTRIBUTES = setOf(
  'viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points dx dy ' +
    'rotate transform id fill fill-opacity fill-rule stroke stroke-width stroke-opacity ' +
    'stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset stroke-miterlimit opacity ' +
    'color font-size font-family font-weight font-style text-anchor dominant-baseline ' +
    'letter-spacing textLength lengthAdjust clip-path clip-rule clipPathUnits marker-start ' +
    'marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient offset stop-color ' +
    'stop-opacity gradientUnits gradientTransform spreadMethod',
);

/** Elements that are painted again at every reference. */
export const REPEATED = setOf('clipPath marker');

/** Attributes that refer to those; repeated elements may not have them. */
export const REPEATING = setOf('clip-path marker-start marker-mid marker-end');

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
