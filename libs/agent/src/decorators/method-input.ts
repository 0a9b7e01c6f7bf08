import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import {
  isSchemaSource,
  mergeObjectSchema,
  methodOf,
  type ParameterSchema,
  pluginMethodOf,
  type SchemaOptions,
  schemaOf,
  type SchemaSource,
} from '../schema';
import { type JsonSchema, ToolDeclarationError, type ToolOptions } from '../tool';
import { emittedTypesOf, hasWrittenTypes, NO_EMITTED_TYPES } from './emitted-types';
import { type ToolParamMetadata, type ToolParamOptions, toolParamsOf } from './metadata';
import { parameterSchemaOf } from './parameter-schema';
import { parameterNamesOf } from './parameter-names';

/** A parameter that the model does not fill. */
export interface HiddenParameter {
  readonly index: number;
  /** From `@ToolParam`, else from the source if it can be read. */
  readonly name?: string;
  /** The type that TypeScript emitted. */
  readonly type: unknown;
}

interface MethodInputOptions extends SchemaOptions {
  readonly tool: ToolOptions;
  /** Whether the parameter is filled without the model: context, a preset, an injected value. */
  readonly isHidden: (parameter: HiddenParameter) => boolean;
}

/** How a provider's method takes the model's arguments. */
interface MethodInput {
  readonly schema: JsonSchema;
  /** The parameters that the model fills by name; empty if `whole` is set. */
  readonly parameters: readonly ParameterSchema[];
  /** The parameter that receives the whole typed input, and its target type. */
  readonly whole?: { readonly index: number; readonly type: SchemaSource };
  /** Every parameter of the method, for filling the hidden ones. */
  readonly all: readonly HiddenParameter[];
}

/**
 * Describes a method's input from the model: named parameters, or with `@Tool({ input })` one
 * parameter that receives everything.
 *
 * @throws ToolDeclarationError naming class, method and parameter
 */
export function describeMethodInput(
  target: Type<unknown>,
  methodName: string,
  options: MethodInputOptions,
): MethodInput {
  const source = `${target.name}.${methodName}`;
  const decorated = toolParamsOf(target, methodName);
  const all = parametersOf(target, methodName, decorated);
  const visible = all.filter((parameter) => !options.isHidden(parameter));
  try {
    const [problem] = pluginMethodOf(target, methodName)?.problems ?? [];
    if (problem !== undefined) throw new ToolDeclarationError(problem);
    if (options.tool.input !== undefined)
      return wholeInput(options.tool.input, visible, all, options);
    const parameters = visible.map((parameter) => {
      const metadata = decorated.get(parameter.index);
      if (!metadata)
        throw new ToolDeclarationError(
          unknownParameter(parameter, isFilledByNest(target, methodName, parameter)),
        );
      if (parameter.name === undefined)
        throw new ToolDeclarationError(
          `parameter ${parameter.index + 1} has no name in the source. Name it: @ToolParam('name').`,
        );
      return parameterSchemaOf({ ...parameter, name: parameter.name, metadata }, options);
    });
    const names = parameters.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new ToolDeclarationError(
        `two parameters are called "${twice}". Give one another name.`,
      );
    return { schema: mergeObjectSchema(undefined, parameters), parameters, all };
  } catch (error) {
    if (!(error instanceof ToolDeclarationError)) throw error;
    const isTyped = hasWrittenTypes(target, methodName);
    const problem = isTyped ? error.message : `${error.message} ${NO_EMITTED_TYPES}`;
    throw new ToolDeclarationError(`${source}: ${problem}`, { cause: error });
  }
}

/** The options of a method's decorated parameters, by the names of their arguments. */
export function paramOptionsOf(
  target: Type<unknown>,
  methodName: string,
): ReadonlyMap<string, ToolParamOptions> {
  const decorated = toolParamsOf(target, methodName);
  return new Map(
    parametersOf(target, methodName, decorated).flatMap(({ index, name }) => {
      const options = decorated.get(index)?.options;
      return name === undefined || options === undefined ? [] : [[name, options] as const];
    }),
  );
}

function wholeInput(
  input: unknown,
  visible: readonly HiddenParameter[],
  all: readonly HiddenParameter[],
  options: MethodInputOptions,
): MethodInput {
  if (!isSchemaSource(input))
    throw new ToolDeclarationError('input wants a DTO class, a JSON Schema or a Standard Schema.');
  const schema = schemaOf(input, options);
  if (schema.type !== 'object')
    throw new ToolDeclarationError('the schema of its input must be of type "object".');
  const [first, second] = visible;
  if (second)
    throw new ToolDeclarationError(
      `parameter ${second.index + 1} can receive nothing: with input, the first parameter receives it all.`,
    );
  return {
    schema,
    parameters: [],
    all,
    ...(first && { whole: { index: first.index, type: input } }),
  };
}

function parametersOf(
  target: Type<unknown>,
  methodName: string,
  decorated: ReadonlyMap<number, ToolParamMetadata>,
): readonly HiddenParameter[] {
  const types = emittedTypesOf(target, methodName) ?? [];
  // Reading the source is only useful if a name is missing.
  const isNamed = types.length > 0 && types.every((_, index) => decorated.get(index)?.name);
  const method = isNamed ? undefined : methodOf(target, methodName);
  const names = (method && parameterNamesOf(method)) ?? [];
  let count = Math.max(types.length, names.length, method?.length ?? 0);
  for (const index of decorated.keys()) count = Math.max(count, index + 1);
  const parameters: HiddenParameter[] = [];
  for (let index = 0; index < count; index++) {
    const name = decorated.get(index)?.name ?? names[index];
    const type = types[index];
    parameters.push(name === undefined ? { index, type } : { index, type, name });
  }
  return parameters;
}

/** Whether a parameter has a decorator of Nest's own kind, as `@Args()` or `createParamDecorator` makes. */
function isFilledByNest(target: Type<unknown>, methodName: string, { index }: HiddenParameter) {
  const metadata = Reflect.getMetadata(ROUTE_ARGS_METADATA, target, methodName) as unknown;
  return Object.keys(metadata ?? {}).some((key) => key.endsWith(`:${index}`));
}

function unknownParameter({ index, name, type }: HiddenParameter, isFilledByNest: boolean): string {
  const which = name === undefined ? `parameter ${index + 1}` : `parameter "${name}"`;
  const ofType = typeof type === 'function' && type !== Object ? ` of type ${type.name}` : '';
  const own = isFilledByNest
    ? ' Its own decorator works in routes and resolvers only; a ToolContext has the caller.'
    : '';
  return `nothing fills ${which}${ofType}.${own} Decorate it with @ToolParam(), name its class as input of @Tool(), register an instance of its class as context, or preset it; its type alone counts only where the compiler plugin has read the class.`;
}
