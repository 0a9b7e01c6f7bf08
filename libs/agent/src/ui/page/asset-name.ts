/** The names of the built files, as they are served. */
export type UiAssetName =
  | 'agent-chat.js'
  | 'agent-chat.mjs'
  | 'page.js'
  | 'sidebar.js'
  | 'log-in.js'
  | 'agent-workbench.js';

const NAMES: ReadonlySet<string> = new Set<UiAssetName>([
  'agent-chat.js',
  'agent-chat.mjs',
  'page.js',
  'sidebar.js',
  'log-in.js',
]);
/** Whether an asset of the chat page has this name; the workbench serves its own. */
export function isUiAsset(name: string): name is UiAssetName {
  return NAMES.has(name);
}
