import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { JsonObject, JsonValue } from '../../message';
import type { ChatAction } from '../../run';
import { DocumentedAs, DocumentedField } from '../answers';
import {
  AnyJson,
  OptionalList,
  OptionalObject,
  OptionalText,
  RequiredText,
  withoutNulls,
} from './fields';
import { ToolDefinitionDto } from './tool-definition.dto';

const ACTION_TYPES = ['approve', 'reject', 'result'] as const;

/** The answer to one pending action. */
@DocumentedAs('AgentAction')
class ActionDto implements ChatAction {
  @RequiredText('The pending call')
  callId!: string;

  @DocumentedField('The kind of the answer', { enum: ACTION_TYPES })
  @IsIn(ACTION_TYPES)
  type!: ChatAction['type'];

  @OptionalObject('With approve: arguments in place of those of the model')
  input?: JsonObject;

  @OptionalText('With reject: the reason', MaxLength(2_000))
  reason?: string;

  @AnyJson("With result: the tool's result, any JSON")
  result?: JsonValue;

  @OptionalText("With result: the tool's error message", MaxLength(20_000))
  error?: string;

  @DocumentedField('With approve: allow this tool for the rest of the session', {
    type: Boolean,
    required: false,
  })
  @IsOptional()
  @IsBoolean()
  remember?: boolean;
}

/** The body of `POST /runs/:runId/actions`. */
@DocumentedAs('AgentActions')
export class ActionsDto {
  @DocumentedField("Answers to the run's pending actions", { type: [ActionDto] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  @ValidateNested({ each: true })
  @Type(() => ActionDto)
  actions!: ActionDto[];

  @OptionalList(ToolDefinitionDto, 'Tools that run in the browser, for the rest of the run')
  frontendTools?: ToolDefinitionDto[];
}

/** The answers without empty keys; `null` is a valid result. */
export function actionsOf({ actions }: ActionsDto): readonly ChatAction[] {
  return actions.map(({ result, ...action }) => ({
    ...withoutNulls(action),
    ...(result !== undefined && { result }),
  }));
}
