// Objects of the library as JSON on the wire.
export { bodyOf, nodeRequest, headerOf } from './node-http';
export { giveBack, TakenResponse, isTaken } from './taken-response';
export { DEFAULT_LIMIT, MAX_LIMIT, pageOf } from './page-query';
export { onceGone } from './once-gone';
