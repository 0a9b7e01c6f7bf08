// One exchange with a client: whether it is served, and how its answer is written.
export { Endpoint, type EndpointDecorator, type EndpointOptions } from './endpoint.decorator';
export { type Exchange } from './exchange';
export { servedBy } from './served';
