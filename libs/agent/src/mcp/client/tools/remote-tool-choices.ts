import { nameRule } from '../../../internal';
import type { McpClientToolsOptions } from '../options';

type ToolOptions = NonNullable<McpClientToolsOptions['options']>[string];

/** The application's choices about a server's tools, by the server's own names. */
export class RemoteToolChoices {
  readonly isWanted: (name: string) => boolean;

  constructor(private readonly options: McpClientToolsOptions) {
    this.isWanted = nameRule(options);
  }

  /** The name without the prefix. */
  nameOf(name: string): string {
    return own(this.options.rename, name) ?? name;
  }

  optionsOf(name: string): ToolOptions {
    return own(this.options.options, name) ?? {};
  }

  /** Exact names in the options that match no tool; probably misspelled. */
  unknownNames(names: readonly string[]): readonly string[] {
    const { include = [], exclude = [], rename = {}, options = {} } = this.options;
    const given = [...include, ...exclude, ...Object.keys(rename), ...Object.keys(options)];
    return [...new Set(given)].filter((name) => !name.includes('*') && !names.includes(name));
  }
}

function own<Value>(record: Readonly<Record<string, Value>> = {}, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
