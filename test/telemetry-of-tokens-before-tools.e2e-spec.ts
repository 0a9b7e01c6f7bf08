import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, AgentService, Tool } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';

const told: string[] = [];

@Injectable()
class WeatherTools {
  @Tool({ description: 'Say how the weather is', readOnly: true })
  weather(): string {
    told.push('tool');
    return 'sunny';
  }
}

it("tells telemetry of a step's tokens when it is stored, not after its tools", async () => {
  const model = new ScriptedModel([
    { toolCalls: [{ name: 'weather', input: {} }] },
    'It is sunny.',
  ]);
  const telemetry = {
    measure: ({ type }: { readonly type: string }) => {
      if (type === 'usage') told.push('usage');
    },
  };
  const testing = await Test.createTestingModule({
    imports: [AgentModule.forRoot({ model, telemetry, path: false })],
    providers: [WeatherTools],
  }).compile();
  const app = await testing.init();
  const { status } = await app.get(AgentService).chat({ message: 'How is the weather?' });
  await app.close();
  // If the worker dies during the call, no other process can report them.
  expect([status, ...told]).toEqual(['completed', 'usage', 'tool', 'usage']);
});
