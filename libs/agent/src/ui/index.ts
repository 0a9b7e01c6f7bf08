export { chatPage, sidebarPage, uiContentSecurityPolicy, type UiPageOptions } from './ui-page';
export {
  isUiAsset,
  readUiAsset,
  uiAssetsFolder,
  type UiAsset,
  type UiAssetName,
} from './ui-assets';
