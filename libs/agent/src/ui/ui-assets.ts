import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { UiAssetName } from './page';

/** Every asset is a script. */
const MEDIA_TYPE = 'text/javascript; charset=utf-8';

/** One file of the chat page, ready to be sent. */
export interface UiAsset {
  /** The file's text. */
  readonly content: string;
  /** For `Content-Type`. */
  readonly mediaType: string;
  /** For `ETag`, in quotes; changes with the content. */
  readonly tag: string;
}

const loaded = new Map<UiAssetName, Promise<UiAsset>>();

/**
 * The folder of `agent-chat.js` and its companion files, for your own static file server.
 *
 * @returns an absolute path
 * @throws Error if the files have not been built
 * @example
 * import type { NestExpressApplication } from '@nestjs/platform-express';
 * import { uiAssetsFolder } from 'nestjs-agent/ui';
 *
 * function serveWidget(app: NestExpressApplication): void {
 *   app.useStaticAssets(uiAssetsFolder(), { prefix: '/assets/' });
 * }
 */
export function uiAssetsFolder(): string {
  // The published package contains them beside this file; in its repository they are built
  // elsewhere.
  const published = join(__dirname, 'assets');
  if (existsSync(join(published, 'agent-chat.js'))) return published;
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const built = join(folder, 'libs/chat-ui/dist');
    if (existsSync(join(built, 'agent-chat.js'))) return built;
  }
  throw new Error(
    `The scripts of the chat page are not in ${published}. Beside a bundle, copy ` +
      'node_modules/nestjs-agent/ui/assets there; in the repository run "npm run build:ui".',
  );
}

/**
 * Reads a file of the chat page, once per process.
 *
 * @param name the file's name
 * @throws Error if the files have not been built
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-etag
 * @example
 * import { readUiAsset } from 'nestjs-agent/ui';
 *
 * \@Controller('widget')
 * export class WidgetController {
 *   \@Get('agent-chat.js')
 *   \@Header('Content-Type', 'text/javascript; charset=utf-8')
 *   async script(): Promise<string> {
 *     return (await readUiAsset('agent-chat.js')).content;
 *   }
 * }
 */
export function readUiAsset(name: UiAssetName): Promise<UiAsset> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const asset = load(name);
  loaded.set(name, asset);
  // A failure is not cached: the files may be built in the meantime.
  asset.catch(() => loaded.delete(name));
  return asset;
}

async function load(name: UiAssetName): Promise<UiAsset> {
  const content = await readFile(join(uiAssetsFolder(), name), 'utf8');
  const tag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  return { content, tag, mediaType: MEDIA_TYPE };
}
