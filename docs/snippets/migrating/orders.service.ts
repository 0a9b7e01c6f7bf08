import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';

export interface Order {
  readonly id: number;
  readonly customer: string;
  status: 'open' | 'sent' | 'cancelled';
}

@Injectable()
export class OrdersService {
  private readonly orders: readonly Order[] = [
    { id: 17, customer: 'ada', status: 'sent' },
    { id: 18, customer: 'grace', status: 'open' },
    { id: 19, customer: 'ada', status: 'open' },
  ];

  of(customer: string): readonly Order[] {
    return this.orders.filter((order) => order.customer === customer);
  }

  cancel(customer: string, id: number): Order {
    const order = this.of(customer).find((each) => each.id === id);
    if (order === undefined) throw new NotFoundException(`There is no order ${id}.`);
    if (order.status === 'sent') throw new ConflictException(`Order ${id} is on its way already.`);
    order.status = 'cancelled';
    return order;
  }
}
