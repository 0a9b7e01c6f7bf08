import { readUiAsset, type UiAssetName } from '../../ui';
import { headerOf, type TakenResponse } from '../wire';
import { COMMON_HEADERS } from './common-headers';

/** Answers with a script; a browser that has it already is told so. */
export async function sendAsset(
  name: UiAssetName,
  { request, response }: { readonly request: unknown; readonly response: TakenResponse },
): Promise<void> {
  const { content, mediaType, tag } = await readUiAsset(name);
  const headers = { ...COMMON_HEADERS, 'cache-control': 'no-cache', etag: tag };
  if (headerOf(request, 'if-none-match') === tag) {
    response.send(304, headers);
    return;
  }
  response.send(200, { ...headers, 'content-type': mediaType }, content);
}
