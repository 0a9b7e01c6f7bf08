import type { Provider } from '@nestjs/common';
import { McpCompletions } from './completion';
import { McpPrompts } from './prompts';
import { McpResources } from './resources';

/** The resources, prompts and completions of one server; each server has its own. */
export const MCP_OFFER_PROVIDERS: Provider[] = [McpResources, McpPrompts, McpCompletions];
