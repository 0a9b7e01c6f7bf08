import type { Provider } from '@nestjs/common';
import { ComponentFinder } from './component.finder';
import { RouteResolver } from './route.resolver';
import { ToolScanner } from './tool.scanner';

/** What the module provides of this layer. */
export const DISCOVERY_PROVIDERS: Provider[] = [ComponentFinder, ToolScanner, RouteResolver];
