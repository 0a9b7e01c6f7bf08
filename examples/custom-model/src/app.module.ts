import { Module } from '@nestjs/common';
import { AgentModule, react } from 'nestjs-agent';
import { gateway } from './gateway.model';
import { StandInController } from './stand-in.controller';
import { WeatherTools } from './weather.tools';

const STAND_IN = `http://127.0.0.1:${process.env.PORT ?? 3000}/stand-in`;

@Module({
  imports: [
    AgentModule.forRoot({
      // The model behind the gateway knows text alone; `react` lets it call tools in text.
      model: react(gateway(process.env.MODEL_URL ?? STAND_IN)),
      systemPrompt: 'You know the weather.',
    }),
  ],
  controllers: [StandInController],
  providers: [WeatherTools],
})
export class AppModule {}
