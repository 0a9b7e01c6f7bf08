// The pages that the agent serves itself, and the names of its assets.
export { isUiAsset, type UiAssetName } from './asset-name';
export { chatPage, sidebarPage, uiContentSecurityPolicy, type UiPageOptions } from './ui-page';
