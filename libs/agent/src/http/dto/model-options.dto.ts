import { IsNumber, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { ChatInput } from '../../run';
import { DocumentedAs, DocumentedField } from '../answers';

/** Settings for the model's answers. */
@DocumentedAs('AgentModelOptions')
export class ModelOptionsDto implements NonNullable<ChatInput['modelOptions']> {
  @DocumentedField('How freely the model chooses its words', { type: Number, required: false })
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(2)
  temperature?: number;

  @DocumentedField('The share of the likeliest words it chooses among', {
    type: Number,
    required: false,
  })
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  topP?: number;

  @DocumentedField('How long a reasoning model thinks, such as low', {
    type: String,
    required: false,
  })
  @IsOptional()
  @IsString()
  @MaxLength(20)
  reasoningEffort?: string;
}
