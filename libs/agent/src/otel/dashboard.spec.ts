import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Meter } from '@opentelemetry/api';
import { LATEST } from './conventions';
import { instrumentsOf } from './instruments';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

/** The names of a metric in Prometheus, which adds its unit and kind. */
function translated(name: string, unit: string, kind: string): readonly string[] {
  const plain = name.replaceAll('.', '_');
  const base = unit === 's' ? `${plain}_seconds` : plain;
  if (kind === 'Histogram') return ['bucket', 'sum', 'count'].map((part) => `${base}_${part}`);
  return [kind === 'Counter' ? `${base}_total` : base];
}

function emitted(): readonly (readonly string[])[] {
  const names: (readonly string[])[] = [];
  const maker =
    (kind: string) =>
    (name: string, { unit }: { readonly unit: string }) => {
      names.push(translated(name, unit, kind));
    };
  const meter = {
    createHistogram: maker('Histogram'),
    createCounter: maker('Counter'),
    createUpDownCounter: maker('UpDownCounter'),
    createObservableGauge: maker('Gauge'),
  };
  instrumentsOf(meter as unknown as Meter, LATEST);
  return names;
}

describe('the dashboard for Grafana', () => {
  const path = join(__dirname, '../../../../deploy/grafana/nestjs-agent.json');
  const { panels } = JSON.parse(readFileSync(path, 'utf8')) as Dashboard;
  const asked = panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .flatMap((expr) => expr.match(/\b(?:gen_ai|nestjs_agent)_\w+(?=[[{)])/g) ?? [])
    // Grouping labels have their own brackets.
    .filter((name) => !/_(?:name|model|reason|operation)$/.test(name));

  it('asks only for metrics that the package emits', () => {
    const known = emitted().flat();
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('shows every metric', () => {
    const missing = emitted().filter((names) => !names.some((name) => asked.includes(name)));
    expect(missing).toEqual([]);
  });
});
