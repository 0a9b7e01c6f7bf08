import { AgentChatElement } from './agent-chat.element';

// On a server there is no document to put the element in.
if (typeof customElements !== 'undefined' && !customElements.get('agent-chat')) {
  customElements.define('agent-chat', AgentChatElement);
}

export { AgentChatElement };
export type {
  BrowserTool,
  BrowserToolContext,
  BrowserToolName,
} from './browser-tools/browser-tool';
export type { HeaderSource } from './wire/agent-api';
