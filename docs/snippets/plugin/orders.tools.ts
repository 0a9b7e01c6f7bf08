import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-agent';

interface Order {
  number: string;
  /** In cents. */
  total: number;
  shippedAt: Date | null;
}

@Injectable()
export class OrdersTools {
  private readonly orders: readonly Order[] = [
    { number: 'A1', total: 4_200, shippedAt: new Date('2024-05-01T10:30:00Z') },
  ];

  /** Looks an order up by its number. */
  @Tool({ readOnly: true })
  find(
    /** The number on the invoice, without dashes */ number: string,
    window: 'day' | 'week' | 'month' = 'week',
    tags?: string[],
  ): Order | null {
    void [window, tags];
    return this.orders.find((order) => order.number === number) ?? null;
  }
}
