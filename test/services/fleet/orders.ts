/** What a message says: "<tag>: <order>; <order>; …". An order may hold those of another agent, in brackets. */
export interface Orders {
  readonly tag: string;
  /** A step each. */
  readonly orders: readonly string[];
}

export function ordersIn(message: string): Orders {
  const { tag = message, words = '' } = /^(?<tag>.*?): (?<words>.*)$/.exec(message)?.groups ?? {};
  const orders: string[] = [];
  let order = '';
  for (const part of words.split('; ')) {
    order += order === '' ? part : `; ${part}`;
    if (order.split('(').length > order.split(')').length) continue;
    orders.push(order);
    order = '';
  }
  return { tag, orders };
}
