import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The built files, by the names they are served under. */
const MEDIA_TYPES = {
  'agent-chat.js': 'text/javascript; charset=utf-8',
  'agent-chat.mjs': 'text/javascript; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'sidebar.js': 'text/javascript; charset=utf-8',
  'log-in.js': 'text/javascript; charset=utf-8',
} as const;

export type UiAssetName = keyof typeof MEDIA_TYPES;

/** One file of the chat page, ready to be sent. */
export interface UiAsset {
  readonly content: string;
  readonly mediaType: string;
  /** Changes with the content, for `ETag`. */
  readonly tag: string;
}

const loaded = new Map<UiAssetName, Promise<UiAsset>>();

/**
 * The folder that holds `agent-chat.js` and its companions, for a server of static files of one's
 * own.
 *
 * @throws Error where the files were never built
 *
 * @example
 * app.useStaticAssets(uiAssetsFolder(), { prefix: '/assets/' });
 */
export function uiAssetsFolder(): string {
  // The published package carries them beside this file; in its repository they are built elsewhere.
  const published = join(__dirname, 'assets');
  if (existsSync(join(published, 'agent-chat.js'))) return published;
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const built = join(folder, 'libs/chat-ui/dist');
    if (existsSync(join(built, 'agent-chat.js'))) return built;
  }
  throw new Error('The chat page was not built: run "npm run build:ui" in the repository.');
}

export function isUiAsset(name: string): name is UiAssetName {
  return Object.hasOwn(MEDIA_TYPES, name);
}

/** Reads a file of the chat page, once per process. @throws Error where the files were never built */
export function readUiAsset(name: UiAssetName): Promise<UiAsset> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const asset = load(name);
  loaded.set(name, asset);
  // A failure is no reason to fail for good: the files may be built in the meantime.
  asset.catch(() => loaded.delete(name));
  return asset;
}

async function load(name: UiAssetName): Promise<UiAsset> {
  const content = await readFile(join(uiAssetsFolder(), name), 'utf8');
  const tag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  return { content, tag, mediaType: MEDIA_TYPES[name] };
}
