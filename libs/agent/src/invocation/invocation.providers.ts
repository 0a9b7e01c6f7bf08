import type { Provider } from '@nestjs/common';
import { TOOLKIT_BUILDER } from '../registry';
import { CallRecorder } from './audit/call.recorder';
import { ToolCatalog } from './catalog/tool.catalog';
import { GuardProbe } from './guard-probe';
import { ProviderToolkitBuilder } from './provider-toolkit.builder';
import { ProviderInvoker } from './provider.invoker';
import { RouteInvoker } from './route';
import { ToolCallFactory } from './tool-call.factory';
import { ToolExecutor } from './tool.executor';
import { ToolLoader } from './tool.loader';

/** What the module provides of this layer. */
export const INVOCATION_PROVIDERS: Provider[] = [
  ToolCatalog,
  ToolExecutor,
  ToolCallFactory,
  CallRecorder,
  GuardProbe,
  ProviderInvoker,
  { provide: TOOLKIT_BUILDER, useClass: ProviderToolkitBuilder },
  RouteInvoker,
  ToolLoader,
];
