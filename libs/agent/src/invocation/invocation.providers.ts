import type { Provider } from '@nestjs/common';
import { TOOLKIT_BUILDER } from '../registry';
import { CallRecorder } from './audit';
import { ToolCatalog } from './catalog';
import { GuardProbe } from './enhancers';
import { PermissionRules } from './permission';
import { PresetRules, ProviderInvoker } from './provider';
import { ProviderToolkitBuilder, ToolLoader } from './loading';
import { RouteInvoker } from './route';
import { ToolCallFactory } from './tool-call.factory';
import { ToolExecutor } from './tool.executor';

/** What the module provides of this layer. */
export const INVOCATION_PROVIDERS: Provider[] = [
  PermissionRules,
  PresetRules,
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
