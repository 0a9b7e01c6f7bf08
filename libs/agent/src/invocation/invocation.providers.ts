import type { Provider } from '@nestjs/common';
import { TOOLKIT_BUILDER } from '../registry';
import { CallRecorder } from './audit';
import { GuardProbe } from './enhancers';
import { ProviderInvoker } from './provider';
import { MarkedTools, ProviderToolkitBuilder, ToolBuilder, ToolLoader } from './loading';
import { AgentDepth, RouteInvoker } from './route';
import { ToolExecutor } from './tool.executor';

/** One of each per application. */
export const INVOCATION_PROVIDERS: Provider[] = [
  AgentDepth,
  ToolExecutor,
  CallRecorder,
  GuardProbe,
  ProviderInvoker,
  { provide: TOOLKIT_BUILDER, useClass: ProviderToolkitBuilder },
  RouteInvoker,
  ToolBuilder,
  ToolLoader,
  MarkedTools,
];
