import { Test } from '@nestjs/testing';
import { AgentModule, AgentService } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { metricsText, PrometheusTelemetry } from './prometheus.telemetry';

it('counts tokens and times model calls for Prometheus', async () => {
  const model = new ScriptedModel(['Hello!', 'Hello again!']);
  const module = await Test.createTestingModule({
    imports: [AgentModule.forRoot({ model, path: false, telemetry: PrometheusTelemetry })],
  }).compile();
  await module.init();
  for (const message of ['hi', 'hi']) await module.get(AgentService).chat({ message });
  await module.close();
  const text = await metricsText();
  expect(text).toContain('agent_model_tokens_total{model="scripted",kind="input"} 20');
  expect(text).toContain('agent_model_tokens_total{model="scripted",kind="output"} 10');
  expect(text).toContain('agent_model_call_seconds_count{model="scripted",error=""} 2');
});
