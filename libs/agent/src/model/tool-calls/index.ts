// Tool calls as models stream them: names on the wire, arguments in fragments, repaired JSON.
export { usedCallIds, wholeCall } from './call-ids';
export * from './json-repair';
export * from './provider-names';
export { readArguments } from './tool-arguments';
export * from './tool-call.assembler';
export type { ToolCallFragment } from './tool-call.fragment';
