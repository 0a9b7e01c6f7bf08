import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { JsonObject, JsonValue } from '../../message';
import type { ChatAction } from '../../run';
import { DocumentedAs, DocumentedField, OPTIONAL_TEXT } from '../answers';
import { KeepJson } from './keep-json.decorator';
import { ToolDefinitionDto } from './tool-definition.dto';
import { withoutNulls } from './without-nulls';

const ACTION_TYPES = ['approve', 'reject', 'result'] as const;

/** The answer to one pending action. */
@DocumentedAs('AgentAction')
class ActionDto implements ChatAction {
  @DocumentedField('The pending call', { type: String })
  @IsString()
  @IsNotEmpty()
  callId!: string;

  @DocumentedField('The kind of the answer', { enum: ACTION_TYPES })
  @IsIn(ACTION_TYPES)
  type!: ChatAction['type'];

  @DocumentedField('With approve: arguments in place of those of the model', {
    type: Object,
    required: false,
  })
  @KeepJson()
  @IsOptional()
  @IsObject()
  input?: JsonObject;

  @DocumentedField('With reject: the reason', OPTIONAL_TEXT)
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  reason?: string;

  @DocumentedField("With result: the tool's result, any JSON", {
    type: Object,
    required: false,
  })
  @KeepJson()
  @Allow()
  result?: JsonValue;

  @DocumentedField("With result: the tool's error message", OPTIONAL_TEXT)
  @IsOptional()
  @IsString()
  @MaxLength(20_000)
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

  @DocumentedField('Tools that run in the browser, for the rest of the run', {
    type: [ToolDefinitionDto],
    required: false,
  })
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ToolDefinitionDto)
  frontendTools?: ToolDefinitionDto[];
}

/** The answers without empty keys; `null` is a valid result. */
export function actionsOf({ actions }: ActionsDto): readonly ChatAction[] {
  return actions.map(({ result, ...action }) => ({
    ...withoutNulls(action),
    ...(result !== undefined && { result }),
  }));
}
