// One exchange with a client: whether it is served, and how its answer is sent.
export { Endpoint, type EndpointDecorator } from './endpoint.decorator';
export { type Exchange, type EndpointOptions, servedBy } from './served';
export { ProtocolErrorFilter } from './protocol-error.filter';
export { WorkerEntry } from './worker-entry';
