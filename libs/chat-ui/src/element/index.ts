// The custom element: its attributes, properties, methods and events, and the wiring of the rooms
// behind it. The public API is documented in `public/agent-chat.d.mts` alone.
export { AgentChatElement } from './agent-chat.element';
