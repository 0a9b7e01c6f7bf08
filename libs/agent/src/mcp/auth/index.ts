// The server as an OAuth resource: its metadata, and the challenges of refused requests.
export {
  assertScopes,
  challengeHeader,
  InsufficientScopeException,
} from './insufficient-scope.exception';
export { MetadataRoutes } from './metadata.routes';
