import { Subject, type Observable } from 'rxjs';
import { frozenCopy } from '../internal';
import {
  AgentError,
  ToolDeclarationError,
  toToolName,
  type Tool,
  type ToolDefinition,
} from '../tool';
import { assertDefinition, assertOutline } from './definition-check';
import { ToolSearch } from './tool-search';

interface Registration {
  readonly tool: Tool;
  /** Declared by a decorator: it stays as long as the application. */
  readonly isFixed: boolean;
  /** Its run-time toolkit, if any. */
  readonly toolkit?: string;
  /** A frozen copy, created on demand. */
  definition?: ToolDefinition;
}

/** One change of the registry, by the names of the tools. */
export interface RegistryChange {
  /** New tools. */
  readonly added: readonly string[];
  /** Names of removed tools. */
  readonly removed: readonly string[];
  /** Tools that gave their name to another one. */
  readonly replaced: readonly string[];
}

/** The registered tools by name, and the run-time toolkits that some of them belong to. */
export class Registrations {
  private readonly byName = new Map<string, Registration>();
  private readonly toolkits = new Set<string>();
  private readonly changed = new Subject<RegistryChange>();
  private snapshot: readonly Tool[] | undefined;
  private index: ToolSearch | undefined;

  readonly changes: Observable<RegistryChange> = this.changed.asObservable();

  /** The same array until the tools change. */
  tools(): readonly Tool[] {
    this.snapshot ??= [...this.byName.values()].map(({ tool }) => tool);
    return this.snapshot;
  }

  definitions(): readonly ToolDefinition[] {
    return [...this.byName.values()].map(definitionOf);
  }

  search(query: string): readonly ToolDefinition[] {
    this.index ??= new ToolSearch(this.tools());
    return this.index.search(query).flatMap((name) => {
      const registration = this.find(name);
      return registration ? [definitionOf(registration)] : [];
    });
  }

  /** By either name: the one that providers accept, or the one before it was mapped. */
  find(name: string): Registration | undefined {
    return this.byName.get(name) ?? this.byName.get(toToolName(name));
  }

  /** A run-time tool by either name. @throws AgentError `tool_is_fixed` for a decorated one */
  removable(name: string): Registration | undefined {
    const registration = this.find(name);
    if (registration?.isFixed !== true) return registration;
    throw new AgentError(
      'tool_is_fixed',
      `${registration.tool.source} declares the tool "${name}" with a decorator; it cannot be unregistered or replaced. Use a group, "visible" or a permission to withhold it.`,
    );
  }

  hasToolkit(name: string): boolean {
    return this.toolkits.has(name);
  }

  /** @throws ToolDeclarationError if a class or a run-time toolkit has the name */
  assertNewToolkit(name: string): void {
    this.assertNewInstance(name);
    if (this.tools().some((tool) => tool.toolkit?.name === name)) throw toolkitTaken(name);
  }

  /** @throws ToolDeclarationError if a run-time toolkit has the name of an instance's class */
  assertNewInstance(name: string): void {
    if (this.toolkits.has(name)) throw toolkitTaken(name);
  }

  put(tool: Tool, other?: Registration): ToolDefinition {
    const kept: Registration = { ...other, tool, isFixed: false, definition: undefined };
    this.change(other ? [other] : [], [kept]);
    return definitionOf(kept);
  }

  /** Replaces the toolkit's tools. */
  putToolkit(toolkit: string, tools: readonly Tool[]): readonly ToolDefinition[] {
    const kept = tools.map((tool): Registration => ({ tool, isFixed: false, toolkit }));
    const registered = [...this.byName.values()];
    this.change(
      registered.filter((other) => other.toolkit === toolkit),
      kept,
    );
    this.toolkits.add(toolkit);
    return kept.map(definitionOf);
  }

  removeToolkit(name: string): boolean {
    if (!this.toolkits.has(name)) return false;
    this.putToolkit(name, []);
    return this.toolkits.delete(name);
  }

  /** The only place that adds and removes tools: all of them, or none if one is refused. */
  change(old: readonly Registration[], kept: readonly Registration[]): void {
    const before = new Set(old.map(nameOf));
    const next = new Map<string, Registration>();
    for (const registration of kept) {
      const { tool, isFixed } = registration;
      // The schemas of a decorated tool are derived, or already checked.
      if (isFixed) assertOutline(tool.definition, tool.source);
      else assertDefinition(tool.definition, tool.source);
      const name = nameOf(registration);
      const other = next.get(name) ?? (before.has(name) ? undefined : this.byName.get(name));
      if (other !== undefined) throw nameTaken(name, other.tool, tool);
      next.set(name, registration);
    }
    const removed = [...before].filter((name) => !next.has(name));
    const replaced = [...next.keys()].filter((name) => before.has(name));
    const added = [...next.keys()].filter((name) => !before.has(name));
    for (const name of removed) this.byName.delete(name);
    for (const [name, registration] of next) this.byName.set(name, registration);
    this.snapshot = undefined;
    this.index = undefined;
    if (removed.length + next.size > 0) this.changed.next({ added, removed, replaced });
  }
}

export function definitionOf(registration: Registration): ToolDefinition {
  registration.definition ??= frozenCopy(registration.tool.definition);
  return registration.definition;
}

function nameOf({ tool }: Registration): string {
  return tool.definition.name;
}

function toolkitTaken(name: string): ToolDeclarationError {
  return new ToolDeclarationError(`There is a toolkit "${name}" already.`);
}

function nameTaken(name: string, other: Tool, tool: Tool): ToolDeclarationError {
  const isSameSource = other.source === tool.source;
  const places = isSameSource
    ? `${tool.source} in two classes of the same name`
    : `${other.source} and ${tool.source}`;
  // They have a name in common where a function makes them, or a bundler names them, and often no decorator of their own.
  const classes = isSameSource
    ? ' Or give each class a name of its own, and have your bundler keep it.'
    : '';
  return new ToolDeclarationError(
    `Two tools have the name "${name}": ${places}. Rename one with @Tool({ name }) or in exposeControllers, or set a prefix with @Toolkit({ prefix }).${classes}`,
  );
}
