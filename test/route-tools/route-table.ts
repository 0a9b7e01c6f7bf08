import { Controller, Get, Param, type Type } from '@nestjs/common';
import { Tool } from 'nestjs-agent';

/** What every route of a table answers. */
export interface RouteAnswer {
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The name of a table's tool, by the place of its route. */
export const toolAt = (index: number) => `route_${index}`;

/** A controller of GET routes, each of which says its own path and what it was handed. */
export function routeTable(paths: readonly string[], prefix = ''): Type<unknown> {
  class TableController {}
  paths.forEach((path, index) => {
    const answer = (params: Record<string, string | string[]>): RouteAnswer => ({
      route: path,
      params: Object.fromEntries(
        Object.entries(params)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, [value].flat().join('/')]),
      ),
    });
    const descriptor = { value: answer, configurable: true, writable: true };
    const name = toolAt(index);
    const target = TableController.prototype;
    Object.defineProperty(target, name, descriptor);
    Reflect.defineMetadata('design:paramtypes', [Object], target, name);
    Param()(target, name, 0);
    Get(path)(target, name, descriptor);
    Tool({ name, description: path })(target, name, descriptor);
  });
  Controller(prefix)(TableController);
  return TableController;
}
