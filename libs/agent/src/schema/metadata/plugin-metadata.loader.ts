import { PLUGIN_KEY } from '../../internal';
import type { PluginClass } from './plugin.metadata';

/**
 * The function that the plugin's metadata generator writes, for builds with SWC: the default export
 * of `metadata.ts`.
 */
export type PluginMetadata = () => Promise<Readonly<Record<string, unknown>>>;

type GeneratedFile = readonly [unknown, Readonly<Record<string, PluginClass>>];

/** Attaches the generator's metadata to each class. */
export async function loadPluginMetadata(metadata: PluginMetadata): Promise<void> {
  const made = await metadata();
  // Under the name that nest-cli.json gives the plugin.
  const own = made['nestjs-agent/plugin'] ?? made['nestjs-agent'];
  const { classes = [] } = (own ?? {}) as { readonly classes?: readonly GeneratedFile[] };
  for (const [file, described] of classes) {
    const exported = (await file) as Readonly<Record<string, unknown>>;
    for (const [name, known] of Object.entries(described)) {
      const type = exported[name];
      if (typeof type === 'function')
        Object.defineProperty(type, PLUGIN_KEY, { value: () => known, configurable: true });
    }
  }
}
