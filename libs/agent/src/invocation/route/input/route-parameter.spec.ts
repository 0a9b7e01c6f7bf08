import { Body, Controller, Param, Post } from '@nestjs/common';
import { routeParametersOf } from './route-parameter';

class OrderDto {}

@Controller()
class OrdersController {
  @Post()
  create(@Param('id') _id: string, @Body() _order: OrderDto): void {}
}

describe('the parameters of a route', () => {
  it('have no known type where their class is imported by `import type`', () => {
    // As the compiler records it then.
    const { prototype } = OrdersController;
    Reflect.defineMetadata('design:paramtypes', [String, Function], prototype, 'create');
    expect(routeParametersOf(OrdersController, 'create')).toMatchObject([
      { place: 'path', type: String },
      { place: 'body', type: Object },
    ]);
  });
});
