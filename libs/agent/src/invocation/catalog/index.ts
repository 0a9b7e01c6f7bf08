// Tools on offer to one caller, and the tools that search for tools.
export { ToolCatalog } from './tool.catalog';
export { type BuiltinOptions } from './builtin-options.interface';
export { type OfferOptions } from './offer-options.interface';
