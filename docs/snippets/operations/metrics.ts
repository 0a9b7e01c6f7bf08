import { Injectable } from '@nestjs/common';

/** Stands for the metrics library that you have. */
@Injectable()
export class Metrics {
  private readonly series = new Map<string, number>();

  add(name: string, labels: Readonly<Record<string, string>>, amount = 1): void {
    const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
    const key = `${name}{${pairs.join(',')}}`;
    this.series.set(key, (this.series.get(key) ?? 0) + amount);
  }

  text(): string {
    return [...this.series].map(([key, value]) => `${key} ${value}\n`).join('');
  }
}
