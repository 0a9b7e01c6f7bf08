// A route's parameters, body and files as one input schema.
export { RouteHeaderRules } from './route-header-rules';
export { type RouteField, type RouteInput } from './route-fields';
export { routeInputOf, assertNoUpload } from './route-input';
export { textWarningsOf } from './route-text-warnings';
export { withTexts } from './route-texts';
export { isUndeclared } from './route-part';
export { takesBody } from './route-parameter';
