import { oncePer } from '../../internal';
import { hashedName } from '../tool-calls';
import type { JsonSchema } from '../../tool';
import { withPlainRoot } from './plain-root';

/** A schema as Anthropic accepts it, and its renamed arguments. */
interface AcceptedSchema {
  readonly schema: JsonSchema;
  readonly ownNames: ReadonlyMap<string, string>;
}

/** Made once for each schema: definitions do not change. */
export const acceptedSchemaOf = oncePer((schema: JsonSchema) =>
  withAcceptedNames(withPlainRoot(schema)),
);

function withAcceptedNames(schema: JsonSchema): AcceptedSchema {
  const { properties = {}, required, ...rest } = schema;
  const ownNames = new Map<string, string>();
  const renamed = Object.entries(properties).map(([name, property]) => {
    const accepted = argumentName(name);
    if (accepted !== name) ownNames.set(accepted, name);
    return [accepted, property] as const;
  });
  if (ownNames.size === 0) return { schema, ownNames };
  return {
    schema: {
      ...rest,
      properties: Object.fromEntries(renamed),
      ...(required && { required: required.map(argumentName) }),
    },
    ownNames,
  };
}

const ACCEPTED = /^[a-zA-Z0-9_.-]{1,64}$/;

/** An argument's name in the form that the API accepts. */
function argumentName(name: string): string {
  return ACCEPTED.test(name) ? name : hashedName(name, /[^a-zA-Z0-9_.-]/g);
}
