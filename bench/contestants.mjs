/** The major version of Node that every contestant runs on; several of them need it. */
export const NODE = 24;

/** The oldest that this library runs on: those that can are measured there as well. */
export const OLDEST_NODE = 20;

/** The one that all others are compared with. */
export const BASELINE = 'sdk-loop';

/** The contestant with the least code between its two sockets: the floor for every server. */
export const FLOOR = 'undici-loop';

const EVERY_NODE = [NODE, OLDEST_NODE];

// `nodes` are the versions of Node that it runs on, `text` reads the answer's text out of one of
// its events, and `packages` are those whose versions the report names. `body` names the form of a
// request's body in `client.mjs`; `{ message }` without it. One with `needs` runs only where that
// variable is set, and is given it.
export const CONTESTANTS = [
  {
    key: 'nestjs-agent',
    title: '**nestjs-agent**',
    program: 'dist/nestjs-agent.js',
    path: '/agent/chat/stream',
    nodes: EVERY_NODE,
    packages: ['nestjs-agent', '@nestjs/core', 'nestjs-agent > openai'],
    text: textOfAgent,
  },
  {
    key: 'nestjs-agent-route',
    title: '**nestjs-agent**, its tool a guarded route',
    program: 'dist/nestjs-agent-route.js',
    path: '/agent/chat/stream',
    nodes: EVERY_NODE,
    packages: [],
    text: textOfAgent,
  },
  {
    key: 'nestjs-agent-ai-sdk',
    title: "**nestjs-agent**, the AI SDK's protocol",
    program: 'dist/nestjs-agent.js',
    path: '/agent/ai-sdk',
    body: 'uiMessages',
    nodes: EVERY_NODE,
    packages: [],
    text: textOfUiStream,
  },
  {
    key: 'nestjs-agent-postgres',
    title: '**nestjs-agent**, its sessions in PostgreSQL',
    program: 'dist/nestjs-agent-postgres.js',
    path: '/agent/chat/stream',
    needs: 'DATABASE_URL',
    nodes: EVERY_NODE,
    packages: ['pg'],
    text: textOfAgent,
  },
  {
    key: 'undici-loop',
    title: 'hand-written loop on `undici`',
    program: 'contestants/undici-loop.mjs',
    path: '/chat',
    nodes: EVERY_NODE,
    packages: ['undici', 'eventsource-parser', 'express'],
    text: textOfOwn,
  },
  {
    key: BASELINE,
    title: 'hand-written loop on the `openai` SDK',
    program: 'contestants/sdk-loop.mjs',
    path: '/chat',
    nodes: EVERY_NODE,
    packages: ['openai'],
    text: textOfOwn,
  },
  {
    key: 'ai-sdk',
    title: 'AI SDK',
    program: 'contestants/ai-sdk.mjs',
    path: '/chat',
    nodes: [NODE],
    packages: ['ai', '@ai-sdk/openai-compatible'],
    text: textOfUiStream,
  },
  {
    key: 'openai-agents',
    title: 'OpenAI Agents SDK',
    program: 'contestants/openai-agents.mjs',
    path: '/chat',
    nodes: [NODE],
    packages: ['@openai/agents'],
    text: textOfOwn,
  },
  {
    key: 'langchain',
    title: 'LangChain',
    program: 'contestants/langchain.mjs',
    path: '/chat',
    nodes: [NODE],
    packages: ['langchain', '@langchain/openai', '@langchain/langgraph'],
    text: textOfOwn,
  },
  {
    key: 'mastra',
    title: 'Mastra',
    program: 'contestants/mastra.mjs',
    path: '/chat',
    nodes: [NODE],
    packages: ['@mastra/core'],
    text: textOfOwn,
  },
];

function textOfAgent({ type, delta }) {
  return type === 'text.delta' ? delta : '';
}

function textOfUiStream({ type, delta }) {
  return type === 'text-delta' ? delta : '';
}

function textOfOwn({ type, delta }) {
  return type === 'text' ? delta : '';
}
