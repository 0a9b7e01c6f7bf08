import { Logger, type Provider } from '@nestjs/common';
import { BootReport } from '../tool';
import { ComponentFinder } from './component.finder';
import { RouteResolver, RouteShadows } from './routes';
import { ToolScanner } from './tool.scanner';

/** The providers of this layer. */
export const DISCOVERY_PROVIDERS: Provider[] = [
  {
    provide: BootReport,
    useFactory: () => {
      const logger = new Logger('Agent');
      return new BootReport((message) => logger.warn(message));
    },
  },
  ComponentFinder,
  ToolScanner,
  RouteResolver,
  RouteShadows,
];
