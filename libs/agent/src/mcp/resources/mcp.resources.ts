import { Injectable, type OnModuleInit } from '@nestjs/common';
import { shortened } from '../../internal';
import { type MarkedTool, MarkedTools } from '../../invocation';
import { assertScopes } from '../auth';
import type { McpResourceOptions } from '../decorators';
import { argumentsOf, assertDistinct, callContextOf, offerErrorOf } from '../offers';
import { invalidParams, type McpCaller, type RpcError } from '../protocol';
import {
  DECLARED_RESOURCES,
  type DeclaredResource,
  type McpResourceEntry,
  type McpResourceTemplateEntry,
} from './declared-resource';
import { RESOURCE_NOT_FOUND } from './readable-result';
import { contentsOf, type McpResourceContents } from './resource-contents';
import { MAX_URI_CHARS } from './uri-template';

/** Maximum number of characters of a URI in a message. */
const SHOWN_CHARS = 200;

/** A resource, and the values of its variables. */
interface Found {
  readonly resource: DeclaredResource;
  readonly values: Readonly<Record<string, string>>;
}

/** The resources of the application, listed and read for one caller. */
@Injectable()
export class McpResources implements OnModuleInit {
  private readonly fixed = new Map<string, DeclaredResource>();
  private byTemplate: readonly DeclaredResource[] = [];
  /** In the order of matching: the most literal one first. */
  private matching: readonly DeclaredResource[] = [];

  constructor(private readonly tools: MarkedTools) {}

  /** @throws ToolDeclarationError listing every resource that is declared wrongly */
  async onModuleInit(): Promise<void> {
    const declared = await this.tools.load(DECLARED_RESOURCES);
    assertDistinct('resource', declared, ({ template, outline }) => [
      `the URI "${template.shape}"`,
      `the name "${outline.name}"`,
    ]);
    for (const resource of declared) {
      const { source, variables } = resource.template;
      if (variables.length === 0) this.fixed.set(source, resource);
    }
    this.byTemplate = declared.filter(({ template }) => template.variables.length > 0);
    this.matching = this.byTemplate.toSorted(
      (a, b) => b.template.literalLength - a.template.literalLength,
    );
  }

  /** Whether there is neither a resource nor a template. */
  get isEmpty(): boolean {
    return this.fixed.size === 0 && this.byTemplate.length === 0;
  }

  /** The resources with a fixed URI that this caller is offered. */
  async list(caller: McpCaller): Promise<readonly McpResourceEntry[]> {
    const offered = await this.tools.offered([...this.fixed.values()], callContextOf(caller));
    return offered.map(({ template, outline }) => ({ uri: template.source, ...outline }));
  }

  /** The templates that this caller is offered. */
  async templates(caller: McpCaller): Promise<readonly McpResourceTemplateEntry[]> {
    const offered = await this.tools.offered(this.byTemplate, callContextOf(caller));
    return offered.map(({ template, outline }) => ({ uriTemplate: template.source, ...outline }));
  }

  /** @throws RpcError if there is no such resource for this caller, or it cannot be read */
  async read(uri: string, caller: McpCaller): Promise<readonly McpResourceContents[]> {
    const { resource, values } = this.find(uri);
    const { tool, mark } = resource.marked;
    const response = await this.tools.call(
      tool,
      argumentsOf(values, tool.definition.input_schema),
      callContextOf(caller),
    );
    if (response.status === 'executed') return contentsOf(uri, response.result, mark.mimeType);
    assertScopes(response, caller);
    const isMissing =
      response.status === 'not_found' || response.error?.code === RESOURCE_NOT_FOUND;
    throw isMissing ? notFound(uri) : offerErrorOf(response, 'resource', { uri });
  }

  /**
   * The tool behind a template or a URI as they are declared, for completion.
   *
   * @throws RpcError if there is none
   */
  declared(uri: string): MarkedTool<McpResourceOptions> {
    const resource =
      this.fixed.get(uri) ?? this.byTemplate.find(({ template }) => template.source === uri);
    if (resource === undefined) throw notFound(uri);
    return resource.marked;
  }

  private find(uri: string): Found {
    if (uri.length > MAX_URI_CHARS) {
      throw invalidParams(`"uri" has more than ${MAX_URI_CHARS} characters.`);
    }
    const fixed = this.fixed.get(uri);
    if (fixed !== undefined) return { resource: fixed, values: {} };
    for (const resource of this.matching) {
      const values = resource.template.match(uri);
      if (values !== undefined) return { resource, values };
    }
    throw notFound(uri);
  }
}

/** @see https://modelcontextprotocol.io/specification/draft/server/resources#error-handling */
function notFound(uri: string): RpcError {
  return invalidParams(`Resource not found: ${shortened(uri, SHOWN_CHARS)}`, { uri });
}
