import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, AgentService } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { telemetry } from './logged.telemetry';

it('logs each model call of a run', async () => {
  const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
  const model = new ScriptedModel(['Hello!']);
  const module = await Test.createTestingModule({
    imports: [AgentModule.forRoot({ model, path: false, telemetry })],
  }).compile();
  await module.init();
  const { runId } = await module.get(AgentService).chat({ message: 'hi' });
  await module.close();
  const line = { model: 'scripted', reason: 'step', runId, status: 'completed', tokens: 15 };
  expect(log).toHaveBeenCalledWith(line);
  log.mockRestore();
});
