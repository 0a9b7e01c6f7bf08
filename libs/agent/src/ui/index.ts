/**
 * The built chat page and widget, as files to serve. Needs no NestJS.
 *
 * @module nestjs-agent/ui
 */
export { type UiAssetName } from './page';
export { readUiAsset, uiAssetsFolder, type UiAsset } from './ui-assets';
