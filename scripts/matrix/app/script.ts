import { ScriptedModel } from 'nestjs-agent/testing';

/** The model's answers in the conversation of `conversation.ts`. */
export const model = new ScriptedModel([
  {
    toolCalls: [
      { name: 'add', input: { a: 2, b: 40 } },
      { name: 'get_order', input: { id: 17 } },
      { name: 'check_stock', input: { article: 'lamp', quantity: 3 } },
      { name: 'check_stock', input: { article: '', quantity: 0 } },
    ],
  },
  {
    toolCalls: [
      { name: 'whose_books' },
      { name: 'count_books' },
      { name: 'balance_books' },
      { name: 'north_left', input: { had: 9, sold: 2 } },
      { name: 'south_left', input: { had: 9, sold: 3 } },
    ],
  },
  'Order 17 is yours.',
  { toolCalls: [{ name: 'get_order', input: { id: 17 } }, { name: 'whose_books' }] },
  { text: ['You may ', 'not see it.'] },
  { toolCalls: [{ name: 'place_order', input: { article: 'lamp', quantity: 3 } }] },
  'It is ordered.',
]);
