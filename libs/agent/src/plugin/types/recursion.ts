import type * as ts from 'typescript';
import { freeName } from '../../internal';
import { says } from './known-types';
import { namedSymbol } from './symbols';
import type { Template } from './template';

const DEEPEST = 24;
const LARGEST = 2_000;

/** A type that is being described; it may refer to itself. */
interface Active {
  readonly name: string;
  isReached: boolean;
}

/** The types that are being described. A type that refers to itself becomes a named definition. */
export class Recursion {
  readonly definitions: Record<string, Template> = {};
  private readonly active = new Map<ts.Type, Active>();
  private readonly names = new Set<string>();
  private size = 0;

  /** Whether a part of a type is being described. */
  get isInside(): boolean {
    return this.active.size > 0;
  }

  /**
   * Describes a type with parts, or refers to its existing description.
   *
   * @throws Refusal if there are too many
   */
  within(type: ts.Type, describe: () => Template): Template {
    const present = this.active.get(type);
    if (present) {
      present.isReached = true;
      return { $ref: `#/$defs/${present.name}` };
    }
    this.size += 1;
    if (this.active.size > DEEPEST || this.size > LARGEST) throw says.large();
    const entry = { name: this.freeName(type), isReached: false };
    this.active.set(type, entry);
    try {
      const template = describe();
      if (!entry.isReached) return template;
      this.definitions[entry.name] = template;
      return { $ref: `#/$defs/${entry.name}` };
    } finally {
      this.active.delete(type);
      if (!entry.isReached) this.names.delete(entry.name);
    }
  }

  private freeName(type: ts.Type): string {
    const wanted = namedSymbol(type)?.name.replace(/\W/g, '_') ?? 'Type';
    const name = freeName(wanted, (one) => this.names.has(one));
    this.names.add(name);
    return name;
  }
}
