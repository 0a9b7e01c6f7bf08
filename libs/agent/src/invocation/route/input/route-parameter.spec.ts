import {
  Body,
  Controller,
  Get,
  Param,
  type PipeTransform,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';
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

  it('have the pipes of class and method where these are written for them', () => {
    class Pipe implements PipeTransform {
      constructor(readonly name: string) {}
      transform(value: unknown): unknown {
        return value;
      }
    }
    @Controller('cats/:id')
    @UsePipes(new Pipe('class'))
    class CatsController {
      @Post()
      @UsePipes(new Pipe('method'))
      change(
        @Param('id') _id: string,
        @Query() _query: object,
        @Body(new Pipe('own')) _cat: object,
      ): void {}

      @Get()
      find(@Query() _query: object, @Query('page') _page: string): void {}

      @Get(':page')
      page(@Param('page') _page: string): void {}
    }
    const pipesOf = (method: string) =>
      routeParametersOf(CatsController, method).map(({ pipes }) =>
        pipes.map((pipe) => (pipe as Pipe).name),
      );
    expect(pipesOf('change')).toEqual([[], [], ['class', 'method', 'own']]);
    expect(pipesOf('find')).toEqual([['class'], []]);
    expect(pipesOf('page')).toEqual([[]]);
  });
});
