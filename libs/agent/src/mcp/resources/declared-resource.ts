import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { defined } from '../../internal';
import { methodOf } from '../../schema';
import type { DiscoveredTool } from '../../discovery';
import { type MarkedTool, type MarkedToolsOf, takesBody } from '../../invocation';
import { type Tool, ToolDeclarationError } from '../../tool';
import { MCP_RESOURCE, type McpResourceOptions } from '../decorators';
import { descriptionIn, offerNameOf, toolOptionsOf } from '../offers';
import { withReadableResult } from './readable-result';
import { UriTemplate } from './uri-template';

/** The fields of every resource in lists. */
interface ResourceOutline {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A resource, as in lists. */
export interface McpResourceEntry extends ResourceOutline {
  readonly uri: string;
}

/** A template, as in lists. */
export interface McpResourceTemplateEntry extends ResourceOutline {
  readonly uriTemplate: string;
}

/** A resource or a template, with the tool that reads it. */
export interface DeclaredResource {
  readonly template: UriTemplate;
  readonly outline: ResourceOutline;
  readonly marked: MarkedTool<McpResourceOptions>;
}

/** How methods with `@McpResource` become resources. */
export const DECLARED_RESOURCES: MarkedToolsOf<McpResourceOptions, DeclaredResource> = {
  key: MCP_RESOURCE,
  noun: 'resources',
  optionsOf(mark, method) {
    if (method.kind === 'route') assertReadRoute(method);
    return toolOptionsOf('resource', mark, method);
  },
  make({ mark, tool, method, params }) {
    const template = parsed(mark, method);
    assertVariables(template, tool, method);
    const { title, mimeType } = mark;
    const description = descriptionIn(mark, method);
    return {
      template,
      outline: defined({ name: offerNameOf(mark, method), title, description, mimeType }),
      marked: { mark, method, params, tool: withReadableResult(tool) },
    };
  },
};

function parsed({ uri }: McpResourceOptions, { source }: DiscoveredTool): UriTemplate {
  try {
    return UriTemplate.parse(uri);
  } catch (error) {
    if (!(error instanceof ToolDeclarationError)) throw error;
    throw new ToolDeclarationError(`${source}: ${error.message}`, { cause: error });
  }
}

function assertReadRoute({ host, methodName, source }: DiscoveredTool): void {
  const handler = methodOf(host, methodName);
  const method: unknown = handler && Reflect.getMetadata(METHOD_METADATA, handler);
  if (method !== RequestMethod.GET) {
    throw new ToolDeclarationError(
      `${source}: a resource is a GET route, and this is none. Declare it with @Get(), or make it a tool with @Tool().`,
    );
  }
  if (takesBody(host, methodName)) {
    throw new ToolDeclarationError(
      `${source}: a resource has no body to read. Replace @Body() by @Param() or @Query(), or make the route a tool with @Tool().`,
    );
  }
}

function assertVariables(
  { source: uri, variables }: UriTemplate,
  { definition }: Tool,
  { source }: DiscoveredTool,
): void {
  const { properties = {}, required = [] } = definition.input_schema;
  const stray = variables.find((variable) => !Object.hasOwn(properties, variable));
  if (stray !== undefined) {
    throw new ToolDeclarationError(
      `${source}: uri "${uri}" has the variable "${stray}", but no parameter is called so. Name one with @ToolParam(), @Param() or @Query(), or remove the variable.`,
    );
  }
  const missing = required.find((name) => !variables.includes(name));
  if (missing !== undefined) {
    throw new ToolDeclarationError(
      `${source}: nothing fills the required parameter "${missing}". Add {${missing}} to uri "${uri}", or make the parameter optional.`,
    );
  }
}
