// What every contestant's application is about: one model, one prompt, one tool.

exports.MODEL = 'scripted';
exports.SYSTEM_PROMPT = 'You help customers of the shop with their orders.';
exports.TOOL_NAME = 'get_order';
exports.TOOL_DESCRIPTION = 'Look an order up by its number';
exports.MAX_STEPS = 5;

/** The order as the shop's database would have it. */
exports.findOrder = (id) => ({
  id,
  customer: 'Ada Lovelace',
  status: 'shipped',
  parcel: exports.parcelOf(id),
  placedAt: '2026-01-15T09:30:00.000Z',
  lines: [
    { sku: 'KB-104', name: 'Mechanical keyboard', count: 1, price: 89.9 },
    { sku: 'CB-USB-2', name: 'Cable, two metres', count: 2, price: 7.5 },
    { sku: 'MS-22', name: 'Wireless mouse', count: 1, price: 34 },
  ],
  total: 138.9,
  currency: 'EUR',
});

/** The parcel's number, which only the tool knows. */
exports.parcelOf = (id) => `P${(id * 7_919 + 104_729).toString(36)}`;
