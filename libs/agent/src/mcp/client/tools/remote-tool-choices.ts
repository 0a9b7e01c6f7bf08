import { wildcard } from '../../../internal';
import type { McpClientToolsOptions } from '../options';

type ToolOptions = NonNullable<McpClientToolsOptions['options']>[string];

/** The application's choices about a server's tools, by the server's own names. */
export class RemoteToolChoices {
  private readonly included: readonly RegExp[];
  private readonly excluded: readonly RegExp[];

  constructor(private readonly options: McpClientToolsOptions) {
    this.included = (options.include ?? ['*']).map(wildcard);
    this.excluded = (options.exclude ?? []).map(wildcard);
  }

  readonly isWanted = (name: string): boolean =>
    this.included.some((pattern) => pattern.test(name)) &&
    !this.excluded.some((pattern) => pattern.test(name));

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
