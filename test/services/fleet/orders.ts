/** The parts of a message, "<tag>: <order>; <order>; …". An order can contain others in brackets, for another agent. */
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
