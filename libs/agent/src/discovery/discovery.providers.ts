import { Logger, type Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { warnOnce } from '../internal';
import { BootReport } from '../tool';
import { ComponentFinder } from './component.finder';
import { RouteResolver, RouteShadows } from './routes';
import { ToolScanner } from './tool.scanner';

/** The providers of this layer. */
export const DISCOVERY_PROVIDERS: Provider[] = [
  {
    provide: BootReport,
    inject: [ModulesContainer],
    useFactory: (modules: ModulesContainer) =>
      new BootReport((message) => warnOnce(modules, new Logger('Agent'), message)),
  },
  ComponentFinder,
  ToolScanner,
  RouteResolver,
  RouteShadows,
];
