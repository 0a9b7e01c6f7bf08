import { ScriptedModel } from 'nestjs-agent/testing';

/** What the model says in the conversation of `conversation.ts`. */
export const model = new ScriptedModel([
  {
    toolCalls: [
      { name: 'add', input: { a: 2, b: 40 } },
      { name: 'get_order', input: { id: 17 } },
      { name: 'check_stock', input: { article: 'lamp', quantity: 3 } },
      { name: 'check_stock', input: { article: '', quantity: 0 } },
    ],
  },
  'Order 17 is yours.',
  { toolCalls: [{ name: 'get_order', input: { id: 17 } }] },
  { text: ['You may ', 'not see it.'] },
  { toolCalls: [{ name: 'place_order', input: { article: 'lamp', quantity: 3 } }] },
  'It is ordered.',
]);
