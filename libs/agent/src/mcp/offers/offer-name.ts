import { descriptionOf } from '../../decorators';
import type { DiscoveredTool } from '../../discovery';
import { type MarkedTool, routeNameOf } from '../../invocation';
import { snakeCase, ToolDeclarationError, type ToolOptions } from '../../tool';
import type { OfferNoun } from './offer-error';

/** With its prefix it must be a valid tool name. */
const NAME = /^[\w.-]{1,55}$/;

/** Options that the decorators of resources and prompts share. */
interface OfferOptions {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
}

/**
 * The name of a resource or prompt.
 *
 * @throws ToolDeclarationError if the name is invalid
 */
export function offerNameOf({ name }: OfferOptions, method: DiscoveredTool): string {
  const chosen = name ?? defaultNameOf(method);
  if (NAME.test(chosen)) return chosen;
  throw new ToolDeclarationError(
    `${method.source}: "${chosen}" cannot be its name. Give it a name of 1 to 55 letters, digits, "_", "-" or ".".`,
  );
}

/** As for tools: the name of a route includes its controller's. */
function defaultNameOf(method: DiscoveredTool): string {
  return method.kind === 'route' ? routeNameOf(method) : snakeCase(method.methodName);
}

/** The options of the tool behind it; the prefix separates it from the model's tools. */
export function toolOptionsOf(
  noun: OfferNoun,
  options: OfferOptions,
  method: DiscoveredTool,
): ToolOptions & { readonly name: string; readonly description: string } {
  const name = offerNameOf(options, method);
  return {
    name: `${noun}_${name.replace(/[.-]/g, '_')}`,
    description: descriptionIn(options, method) ?? options.title ?? name,
    readOnly: true,
  };
}

/** The author's description, if there is one. */
export function descriptionIn(
  { description }: OfferOptions,
  { host, methodName }: DiscoveredTool,
): string | undefined {
  return descriptionOf(host, methodName, description === undefined ? {} : { description });
}

/** @throws ToolDeclarationError if two have a claim in common, such as `the name "orders"` */
export function assertDistinct<Offer extends { readonly marked: MarkedTool<unknown> }>(
  noun: OfferNoun,
  offers: readonly Offer[],
  claimsOf: (offer: Offer) => readonly string[],
): void {
  const sources = new Map<string, string>();
  for (const offer of offers) {
    const { source } = offer.marked.method;
    for (const claim of claimsOf(offer)) {
      const first = sources.get(claim);
      if (first !== undefined) {
        throw new ToolDeclarationError(
          `${first} and ${source} both have ${claim}. Give one ${noun} another one, in the options of its decorator.`,
        );
      }
      sources.set(claim, source);
    }
  }
}
