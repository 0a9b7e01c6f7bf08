import { Injectable } from '@nestjs/common';

export interface Order {
  readonly id: number;
  readonly customer: string;
  readonly status: 'open' | 'sent';
}

@Injectable()
export class OrdersService {
  private readonly orders: readonly Order[] = [
    { id: 17, customer: 'ada', status: 'sent' },
    { id: 18, customer: 'grace', status: 'open' },
  ];

  of(customer: string): readonly Order[] {
    return this.orders.filter((order) => order.customer === customer);
  }
}
