// Defines `<agent-chat>`. The rooms, from the bottom: wire, state, browser-tools, conversation, view.
// Each imports only from those before it and from `texts.ts`; the element wires them.
import type { AgentChatElement as Declared } from '../public/agent-chat.mjs';
import { AgentChatElement } from './agent-chat.element';

// On a server there is no document to put the element in.
if (typeof customElements !== 'undefined' && !customElements.get('agent-chat')) {
  customElements.define('agent-chat', AgentChatElement);
}

export { AgentChatElement };

// The element's declarations for bundlers are written by hand: here the compiler checks them.
type Holds<T extends true> = T;
export type DeclarationHolds = Holds<AgentChatElement extends Declared ? true : false>;
