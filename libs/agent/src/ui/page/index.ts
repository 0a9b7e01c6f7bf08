// The agent's built-in pages and the names of their assets.
export { isUiAsset, type UiAssetName } from './asset-name';
export {
  chatPage,
  sidebarPage,
  uiContentSecurityPolicy,
  type UiPageOptions,
  workbenchPage,
} from './ui-page';
