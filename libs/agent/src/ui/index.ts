/**
 * The built chat page and widget, as files to serve. Needs no NestJS.
 *
 * @module nestjs-agent/ui
 */
export {
  readUiAsset,
  uiAssetsFolder,
  type UiAsset,
  type UiAssetName,
  isUiAsset,
} from './ui-assets';
export { chatPage, sidebarPage, uiContentSecurityPolicy, type UiPageOptions } from './ui-page';
