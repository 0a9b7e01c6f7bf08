import { IsNumber, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { ChatInput } from '../../run';
import { DocumentedAs, DocumentedField, OPTIONAL_TEXT } from '../answers';

/** Settings for the model's answers. */
@DocumentedAs('AgentModelOptions')
export class ModelOptionsDto implements NonNullable<ChatInput['modelOptions']> {
  @DocumentedField('The sampling temperature', { type: Number, required: false })
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(2)
  temperature?: number;

  @DocumentedField('The probability mass of nucleus sampling', {
    type: Number,
    required: false,
  })
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  topP?: number;

  @DocumentedField('The effort of a reasoning model, such as low', OPTIONAL_TEXT)
  @IsOptional()
  @IsString()
  @MaxLength(20)
  reasoningEffort?: string;
}
