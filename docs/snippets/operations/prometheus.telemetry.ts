import type { AgentTelemetry } from 'nestjs-agent';
import type { ObservedMeasure, ObservedModelCall, ObservedModelCallEnd } from 'nestjs-agent/types';
import { Counter, Histogram, register } from 'prom-client';

// #region prometheus
/** For `telemetry`: metrics in the registry that prom-client and modules on it serve. */
export class PrometheusTelemetry implements AgentTelemetry {
  private readonly tokens = new Counter({
    name: 'agent_model_tokens_total',
    help: 'Tokens of runs',
    labelNames: ['model', 'kind'],
  });
  private readonly calls = new Histogram({
    name: 'agent_model_call_seconds',
    help: 'Duration of model calls',
    labelNames: ['model', 'error'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60],
  });

  async modelCall({ model }: ObservedModelCall, go: () => Promise<ObservedModelCallEnd>) {
    const stop = this.calls.startTimer({ model });
    const { errorCode = '' } = await go();
    stop({ error: errorCode });
  }

  measure(info: ObservedMeasure) {
    if (info.type !== 'usage') return;
    const { model, usage } = info;
    this.tokens.inc({ model, kind: 'input' }, usage.inputTokens);
    this.tokens.inc({ model, kind: 'output' }, usage.outputTokens);
  }
}
// #endregion prometheus

/** What an endpoint for Prometheus answers. */
export const metricsText = (): Promise<string> => register.metrics();
