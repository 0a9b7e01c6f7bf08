import { Controller, mixin, type Type } from '@nestjs/common';
import { routeNameOf } from './route-defaults';

/** As a factory makes it: `mixin()` gives each class another random name at each start. */
function listing(path?: string | string[]): Type<unknown> {
  @Controller(path ?? [])
  class Listing {}
  return mixin(Listing);
}

function nameless(path: string): Type<unknown> {
  const [host] = [class {}];
  Controller(path)(host);
  return host;
}

describe('the default name of a tool', () => {
  class TagsController {}

  it.each([
    [TagsController, 'tags_find_all'],
    [listing('stock/tags'), 'stock_tags_find_all'],
    [listing('firms/:firmId/colour-sets/*rest'), 'firms_colour_sets_find_all'],
    [listing(['/labels', 'tags']), 'labels_find_all'],
    [listing(''), 'find_all'],
    [listing(), 'find_all'],
    [nameless('notes'), 'notes_find_all'],
  ])('is made of the controller, or its path if its class has no name of its own', (host, name) => {
    expect(routeNameOf({ host, methodName: 'findAll' })).toBe(name);
  });
});
