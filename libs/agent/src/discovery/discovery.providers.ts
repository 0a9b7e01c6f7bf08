import type { Provider } from '@nestjs/common';
import { ComponentFinder } from './component.finder';
import { RouteNeighbours } from './route-neighbours';
import { RouteResolver } from './route.resolver';
import { ToolScanner } from './tool.scanner';

/** What the module provides of this layer. */
export const DISCOVERY_PROVIDERS: Provider[] = [
  ComponentFinder,
  ToolScanner,
  RouteResolver,
  RouteNeighbours,
];
