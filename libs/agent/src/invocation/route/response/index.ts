// A route's HTTP response as a tool result or a failure.
export { type AnsweredRequest, EFFECT_UNKNOWN, readRouteResponse } from './route-response';
export { RouteRefusals } from './route-refusals';
