/** The names of the built files, as they are served. */
export type UiAssetName =
  'agent-chat.js' | 'agent-chat.mjs' | 'page.js' | 'sidebar.js' | 'log-in.js';

const NAMES: ReadonlySet<string> = new Set<UiAssetName>([
  'agent-chat.js',
  'agent-chat.mjs',
  'page.js',
  'sidebar.js',
  'log-in.js',
]);
/** Whether an asset has this name. */
export function isUiAsset(name: string): name is UiAssetName {
  return NAMES.has(name);
}
