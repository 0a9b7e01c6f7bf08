import type { Type } from '@nestjs/common';
import {
  describeMethodInput,
  type HiddenParameter,
  type ToolParamMetadata,
  toolParamsOf,
} from '../../decorators';
import { type ParameterSchema, pointer } from '../../schema';
import {
  AgentRun,
  type JsonSchema,
  ToolContext,
  ToolDeclarationError,
  ToolEmitter,
  type ToolOptions,
} from '../../tool';
import { instanceOf, isInjectableType } from '../enhancers';
import { InputReader } from './input-reader';
import type { ArgumentPlan, MethodPlan, ParameterPlan } from './parameter-plan';

/** Input of the plan. */
interface MethodDeclaration {
  readonly source: string;
  readonly host: Type<unknown>;
  readonly methodName: string;
  readonly options: ToolOptions;
  /** The instances known at boot: the agent's, then the toolkit's. */
  readonly instances: readonly object[];
  readonly presets: Readonly<Record<string, unknown>>;
  readonly groups: readonly string[];
}

/**
 * Decides the source of each parameter of a tool's method: its type, a preset, the registered
 * context or the model.
 *
 * @throws ToolDeclarationError naming class and method
 */
export function planMethod(declaration: MethodDeclaration): MethodPlan {
  const { host, methodName, options, groups } = declaration;
  const declared = toolParamsOf(host, methodName);
  const hidden = new Map<number, ParameterPlan>();
  const input = describeMethodInput(host, methodName, {
    tool: options,
    groups,
    isHidden: (parameter) => {
      const plan = hiddenPlan(parameter, declared.get(parameter.index), declaration);
      if (plan !== undefined) hidden.set(parameter.index, plan);
      return plan !== undefined;
    },
  });
  assertPresetsHit(input.all, declaration);
  const optional = new Set<string>();
  const visible = new Map<number, ArgumentPlan>();
  for (const parameter of input.parameters) {
    const { type: metatype } = input.all[parameter.index] ?? {};
    const metadata = declared.get(parameter.index);
    const isGiven = isContext(metatype, declaration) && metadata?.options.required !== true;
    if (isGiven) optional.add(parameter.name);
    visible.set(parameter.index, argumentPlan(parameter, metatype, metadata, groups));
  }
  if (input.whole !== undefined) {
    const { index, type } = input.whole;
    visible.set(index, {
      kind: 'argument',
      reader: new InputReader(type, groups, ''),
      pipes: declared.get(index)?.pipes ?? [],
      ...metatypeOf(input.all[index]?.type),
    });
  }
  return {
    parameters: input.all
      .map(({ index }) => hidden.get(index) ?? visible.get(index))
      .filter((plan) => plan !== undefined),
    inputSchema: withOptional(input.schema, optional),
  };
}

function hiddenPlan(
  { name, type }: HiddenParameter,
  metadata: ToolParamMetadata | undefined,
  declaration: MethodDeclaration,
): ParameterPlan | undefined {
  const { presets, source } = declaration;
  if (name !== undefined && Object.hasOwn(presets, name)) {
    return { kind: 'preset', name, value: presets[name] };
  }
  const injected = injectedPlan(type);
  if (injected !== undefined && isDecorated(metadata)) {
    throw new ToolDeclarationError(
      `${source}: parameter "${name ?? ''}" is injected by its type and cannot be an argument too. Remove its @ToolParam().`,
    );
  }
  if (injected !== undefined) return injected;
  return !isDecorated(metadata) && isContext(type, declaration)
    ? { kind: 'context', type }
    : undefined;
}

/** A parameter that is an argument only by the compiler plugin may also be filled from context. */
function isDecorated(metadata: ToolParamMetadata | undefined): boolean {
  return metadata !== undefined && metadata.isImplied !== true;
}

function injectedPlan(type: unknown): ParameterPlan | undefined {
  switch (type) {
    case ToolContext:
      return { kind: 'toolContext' };
    case ToolEmitter:
      return { kind: 'emitter' };
    case AgentRun:
      return { kind: 'run' };
    case AbortSignal:
      return { kind: 'signal' };
    default:
      return undefined;
  }
}

function isContext(type: unknown, { instances }: MethodDeclaration): type is Type<unknown> {
  return isInjectableType(type) && instanceOf(type, instances) !== undefined;
}

function argumentPlan(
  { name, schema, type }: ParameterSchema,
  metatype: unknown,
  metadata: ToolParamMetadata | undefined,
  groups: readonly string[],
): ArgumentPlan {
  return {
    kind: 'argument',
    name,
    reader: new InputReader(type, groups, pointer('', name)),
    pipes: metadata?.pipes ?? [],
    ...(schema.default !== undefined && { byDefault: schema.default }),
    ...metatypeOf(metatype),
    ...(isInjectableType(metatype) && { contextType: metatype }),
  };
}

/** A preset without a parameter would leave the parameter to the model. */
function assertPresetsHit(
  all: readonly HiddenParameter[],
  { presets, source }: MethodDeclaration,
): void {
  const names = new Set(all.map(({ name }) => name));
  const missed = Object.keys(presets).filter((name) => !names.has(name));
  if (missed.length === 0) return;
  throw new ToolDeclarationError(
    `${source}: "presets" names ${missed.map((name) => `"${name}"`).join(', ')}, but no parameter is called so. Name it with @ToolParam(); a minified source has lost its names.`,
  );
}

/** Arguments that the context can provide are optional. */
function withOptional(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  if (names.size === 0) return schema;
  const { required = [], ...rest } = schema;
  const remaining = required.filter((name) => !names.has(name));
  return { ...rest, ...(remaining.length > 0 && { required: remaining }) };
}

function metatypeOf(type: unknown): { readonly metatype?: Type<unknown> } {
  return typeof type === 'function' ? { metatype: type as Type<unknown> } : {};
}
