import { Controller, SetMetadata, UseFilters, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import { AGENT_ENDPOINT } from '../../discovery';
import { decorateController } from '../../http';
import { McpController } from './mcp.controller';
import { McpErrorFilter } from './mcp-error.filter';

/** The controller of one `forRoot`: a class of its own, with its own decorators. */
export function createMcpController(
  path: string,
  decorators: readonly ClassDecorator[],
): Type<unknown> {
  const controller = class extends McpController {};
  Object.defineProperty(controller, 'name', { value: 'AgentMcpController' });
  UseFilters(McpErrorFilter)(controller);
  Controller({ path, version: VERSION_NEUTRAL })(controller);
  SetMetadata(AGENT_ENDPOINT, true)(controller);
  decorateController(controller, decorators);
  return controller;
}
