import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent';

@Injectable()
export class WeatherTools {
  @Tool({ name: 'get_weather', description: 'The weather in a city', readOnly: true })
  weather(@ToolParam('city', { description: 'The name of the city' }) city: string): string {
    return `Rain in ${city}.`;
  }
}
