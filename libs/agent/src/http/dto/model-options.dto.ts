import { MaxLength } from 'class-validator';
import type { ChatInput } from '../../run';
import { DocumentedAs } from '../answers';
import { OptionalNumber, OptionalText } from './fields';

/** Settings for the model's answers. */
@DocumentedAs('AgentModelOptions')
export class ModelOptionsDto implements NonNullable<ChatInput['modelOptions']> {
  @OptionalNumber('The sampling temperature', 2)
  temperature?: number;

  @OptionalNumber('The probability mass of nucleus sampling', 1)
  topP?: number;

  @OptionalText('The effort of a reasoning model, such as low', MaxLength(20))
  reasoningEffort?: string;
}
