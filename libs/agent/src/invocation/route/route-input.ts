import type { Type } from '@nestjs/common';
import { pathParametersOf, type ResolvedRoute } from '../../discovery';
import { toolParamsOf } from '../../decorators';
import { mergeObjectSchema, schemaOf, type ParameterSchema, type SchemaSource } from '../../schema';
import type { JsonSchema } from '../../tool';
import { documentedParametersOf, type ParameterDocumentation } from './route-documentation';
import type { RouteHeaderRules } from './route-header-rules';
import { routeParametersOf, type ParameterPlace, type RouteParameter } from './route-parameter';
import { describeParameter, type DescribedParameter } from './route-parameter-schema';

/** Where one of the tool's arguments goes. */
export interface RouteField {
  /** The argument's name. */
  readonly name: string;
  readonly place: ParameterPlace;
  /** What the route calls it; missing where the argument is the whole body. */
  readonly key?: string;
}

/** What a route tool takes, and where in the request each argument goes. */
export interface RouteInput {
  readonly schema: JsonSchema;
  readonly fields: readonly RouteField[];
  /** Whether a request without any body field still has a body, `{}`. */
  readonly hasBody: boolean;
}

interface Declaration {
  readonly host: Type<unknown>;
  readonly methodName: string;
  /** The tool's name, which becomes the schema's title. */
  readonly title: string;
  /** The `input` option of the tool. */
  readonly input?: unknown;
}

interface Part extends DescribedParameter {
  readonly place: ParameterPlace;
  readonly key?: string;
  readonly index: number;
}

/** Model providers accept no other names of arguments. */
const ARGUMENT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Works out a route tool's arguments from its decorators and types. */
export function routeInputOf(
  declaration: Declaration,
  route: ResolvedRoute,
  rules: RouteHeaderRules,
): RouteInput {
  const parameters = routeParametersOf(declaration.host, declaration.methodName);
  const documented = documentedParametersOf(declaration.host, declaration.methodName);
  const describe = describerOf(declaration, documented);
  const declared = [
    ...pathParts(route, parameters, describe),
    ...queryParts(parameters, describe),
    ...documentedParts('query', parameters, documented),
    ...headerParts(parameters, describe, rules),
    ...documentedParts('header', parameters, documented).filter(
      ({ key }) => key !== undefined && rules.isInput(key.toLowerCase()),
    ),
    ...bodyParts(parameters, describe, initialisedFrom(declaration)),
  ];
  const fixedQuery = Object.keys(route.query);
  const parts = declared.filter(
    ({ place, key = '' }) =>
      !(place === 'query' && fixedQuery.includes(key)) &&
      !(place === 'header' && key.toLowerCase() in route.headers),
  );
  const chosen =
    declaration.input === undefined
      ? parts
      : partsOfInput(schemaOf(declaration.input as SchemaSource), parts, route);
  return assemble(declaration.title, chosen);
}

type Describe = (parameter: RouteParameter, fallsBack: boolean) => DescribedParameter;

function describerOf(
  { host, methodName }: Declaration,
  documented: readonly ParameterDocumentation[],
): Describe {
  const hints = toolParamsOf(host, methodName);
  return (parameter, fallsBack) => {
    const { place, key, index } = parameter;
    const documentation = documented.find(
      (entry) =>
        entry.place === place && (place === 'body' ? key === undefined : entry.name === key),
    );
    const hint = hints.get(index)?.options;
    return describeParameter(parameter, {
      fallsBack,
      ...(hint && { hints: hint }),
      ...(documentation && { documentation }),
    });
  };
}

function pathParts(
  { pattern }: ResolvedRoute,
  parameters: readonly RouteParameter[],
  describe: Describe,
): readonly Part[] {
  const declared = parameters.filter(({ place }) => place === 'path');
  const whole = declared.find(({ key }) => key === undefined);
  const wholeSchema = whole && describe(whole, true).schema;
  return pathParametersOf(pattern).map(({ name, isOptional, isWildcard }, position) => {
    const parameter = declared.find(({ key }) => key === name);
    const described = parameter && describe(parameter, true);
    const schema = described?.schema ?? propertyOf(wholeSchema, name) ?? { type: 'string' };
    return {
      place: 'path',
      key: name,
      index: parameter?.index ?? position,
      required: !isOptional,
      schema: isWildcard ? wildcardSchema(schema) : schema,
    };
  });
}

/** A router may hand a wildcard over as a list; the model writes it as a path. */
function wildcardSchema({ description }: JsonSchema): JsonSchema {
  const form = 'One or more path segments, parted by slashes; no slash at either end';
  return {
    type: 'string',
    description: description === undefined ? form : `${description}. ${form}`,
  };
}

function queryParts(parameters: readonly RouteParameter[], describe: Describe): readonly Part[] {
  return parameters
    .filter(({ place }) => place === 'query')
    .flatMap((parameter) => {
      // A query without a pipe may always be missing: TypeScript's `?` leaves no trace.
      const described = describe(parameter, false);
      return parameter.key === undefined
        ? propertyParts('query', parameter.index, described.schema)
        : [{ place: 'query' as const, key: parameter.key, index: parameter.index, ...described }];
    });
}

function headerParts(
  parameters: readonly RouteParameter[],
  describe: Describe,
  rules: RouteHeaderRules,
): readonly Part[] {
  return parameters.flatMap((parameter) => {
    const { place, key, index } = parameter;
    if (place !== 'header' || key === undefined || !rules.isInput(key.toLowerCase())) return [];
    return [{ place, key, index, ...describe(parameter, false) }];
  });
}

/** What swagger's decorators name although the method reads it in another way. */
function documentedParts(
  wanted: ParameterPlace,
  parameters: readonly RouteParameter[],
  documented: readonly ParameterDocumentation[],
): readonly Part[] {
  const same = (a?: string, b?: string) => a?.toLowerCase() === b?.toLowerCase();
  // A DTO for the whole query says itself what there is.
  const hasWhole = parameters.some(
    ({ place, key, type }) =>
      place === wanted && key === undefined && type !== Object && wanted === 'query',
  );
  if (hasWhole) return [];
  return documented.flatMap(({ place, name, schema, description, required }, position) => {
    if (place !== wanted || name === undefined) return [];
    if (parameters.some((one) => one.place === place && same(one.key, name))) return [];
    return [
      {
        place,
        key: name,
        index: parameters.length + position,
        required: required ?? false,
        schema: { ...(schema ?? { type: 'string' }), ...(description && { description }) },
      },
    ];
  });
}

/** The first parameter with an initialiser, which may be left out; later ones cannot be told. */
function initialisedFrom({ host, methodName }: Declaration): number {
  return (host.prototype as Record<string, { readonly length: number }>)[methodName]?.length ?? 0;
}

function bodyParts(
  parameters: readonly RouteParameter[],
  describe: Describe,
  initialised: number,
): readonly Part[] {
  return parameters
    .filter(({ place }) => place === 'body')
    .flatMap((parameter) => {
      const { key, index } = parameter;
      const described = describe(parameter, index !== initialised);
      if (key !== undefined) return [{ place: 'body' as const, key, index, ...described }];
      return isFlat(described.schema)
        ? propertyParts('body', index, described.schema)
        : [{ place: 'body' as const, index, ...described }];
    });
}

/** An object of known properties and no others, whose properties can stand beside others. */
function isFlat(schema: JsonSchema): boolean {
  return (
    schema.type === 'object' &&
    schema.properties !== undefined &&
    (schema.additionalProperties === undefined || schema.additionalProperties === false) &&
    !['oneOf', 'anyOf', 'allOf', 'if', 'patternProperties', '$ref'].some((word) => word in schema)
  );
}

function propertyParts(place: ParameterPlace, index: number, schema: JsonSchema): readonly Part[] {
  return Object.keys(schema.properties ?? {}).map((key) => ({
    place,
    key,
    index,
    schema: propertyOf(schema, key) ?? {},
    required: schema.required?.includes(key) ?? false,
  }));
}

/** One property's schema with the definitions it may refer to. */
function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  if (!schema?.properties || !Object.hasOwn(schema.properties, name)) return undefined;
  const property = schema.properties[name];
  return property && schema.$defs ? { ...property, $defs: schema.$defs } : property;
}

/** With `input` the option decides what there is, and the route where each of it goes. */
function partsOfInput(
  schema: JsonSchema,
  declared: readonly Part[],
  { pattern, method }: ResolvedRoute,
): readonly Part[] {
  const paths = new Set(pathParametersOf(pattern).map(({ name }) => name));
  const rest: ParameterPlace = ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
    ? 'query'
    : 'body';
  const ofInput = propertyParts(rest, 0, schema).map((part): Part => {
    const key = part.key ?? '';
    if (paths.has(key)) return { ...part, place: 'path' };
    const known = declared.find((one) => one.key === key);
    return known ? { ...part, place: known.place } : part;
  });
  const missing = declared.filter(
    ({ place, key }) => place === 'path' && !ofInput.some((part) => part.key === key),
  );
  return [...missing, ...ofInput];
}

function assemble(title: string, parts: readonly Part[]): RouteInput {
  const names = new Set<string>();
  const fields: RouteField[] = [];
  const schemas: ParameterSchema[] = [];
  const add = (part: Omit<Part, 'key'> & { readonly key?: string }, wanted: string): void => {
    const name = freeName(wanted, part.place, names);
    names.add(name);
    fields.push({ name, place: part.place, ...(part.key !== undefined && { key: part.key }) });
    schemas.push({ name, index: part.index, schema: part.schema, required: part.required });
  };

  const others = parts.filter(({ place }) => place !== 'body');
  for (const part of others) add(part, part.key === '*' ? 'path' : (part.key ?? part.place));

  const body = parts.filter(({ place }) => place === 'body');
  const whole = body.find(({ key }) => key === undefined);
  const inBody = body.filter(({ key }) => key !== undefined && !whole);
  if (whole) add(whole, 'body');
  else if (inBody.some(({ key }) => names.has(argumentName(key ?? '')))) {
    add(wholeOf(inBody), 'body');
  } else for (const part of unique(inBody)) add(part, part.key ?? '');

  return { schema: mergeObjectSchema(title, schemas), fields, hasBody: body.length > 0 };
}

function wholeOf(parts: readonly Part[]): Part {
  const properties = unique(parts).map(({ key = '', index, schema, required }) => ({
    name: key,
    index,
    schema,
    required,
  }));
  return {
    place: 'body',
    index: parts[0]?.index ?? 0,
    schema: mergeObjectSchema('Body', properties),
    required: parts.some(({ required }) => required),
  };
}

/** Two parameters may read the same field of a body. */
function unique(parts: readonly Part[]): readonly Part[] {
  return [...new Map(parts.map((part) => [part.key, part] as const)).values()];
}

function argumentName(key: string): string {
  return ARGUMENT_NAME.test(key) ? key : key.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, 64);
}

function freeName(wanted: string, place: ParameterPlace, taken: ReadonlySet<string>): string {
  const name = argumentName(wanted);
  if (!taken.has(name)) return name;
  let candidate = argumentName(`${place}_${name}`);
  for (let count = 2; taken.has(candidate); count += 1) {
    candidate = argumentName(`${place}_${name}_${count}`);
  }
  return candidate;
}
