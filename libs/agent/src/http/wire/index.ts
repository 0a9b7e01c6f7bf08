// Requests and responses of Express and Fastify: reading headers and bodies, and writing answers on
// a response that the library has taken over.
export { bodyOf, nodeRequest, nodeResponse, headerOf, queryOf } from './node-http';
export { giveBack, TakenResponse, isTaken } from './taken-response';
export { DEFAULT_LIMIT, endPageOf, MAX_LIMIT, pageOf } from './page-query';
export { onceDisconnected } from './disconnect';
export { whileConnected } from './while-connected';
