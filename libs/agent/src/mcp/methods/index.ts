// The methods of the protocol, and what the server says of itself.
export { McpMethods } from './mcp.methods';
export { OfferMethods } from './offer-methods';
export { capabilitiesOf, ServerCard } from './server-card';
