import { Injectable } from '@nestjs/common';
import { IsPostalCode, IsString } from 'class-validator';
import { AgentService } from 'nestjs-agent';
import { z } from 'zod';

// #region generate
export class AddressDto {
  @IsString()
  street!: string;

  @IsPostalCode('FR')
  postcode!: string;
}

@Injectable()
export class AddressService {
  constructor(private readonly agent: AgentService) {}

  read(letter: string): Promise<AddressDto> {
    return this.agent.generate({ schema: AddressDto, prompt: `Find the address: ${letter}` });
  }

  mood(letter: string): Promise<'calm' | 'angry'> {
    return this.agent.generate({
      schema: z.enum(['calm', 'angry']),
      prompt: `How does who wrote this feel? ${letter}`,
      system: 'You read letters of customers.',
      model: 'careful',
    });
  }
}
// #endregion generate
