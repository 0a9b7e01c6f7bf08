// The documented shapes of answers, for OpenAPI.
export { AgUiCapabilitiesDto, AgUiInputDto, AgUiMessageDto } from './ag-ui.dto';
export { AiSdkRequestDto, UiMessageDto } from './ai-sdk.dto';
export { ChatResultDto } from './chat-result.dto';
export { DeliveryDto } from './delivery.dto';
export { AG_UI_EVENTS, CHUNKS, EVENTS, RESPONSE_EVENTS, UI_CHUNKS } from './events';
export {
  DocumentedEndpoint,
  documentedName,
  endpointDocumentationOf,
  fieldsOf,
  type Dto,
  type EndpointDocumentation,
  type Swagger,
  DocumentedAs,
  DocumentedField,
} from './documented.decorator';
export { OPTIONAL_TEXT } from './field-schemas';
export { ErrorDto } from './error.dto';
export { HealthDto } from './health.dto';
export {
  CompletionDto,
  CompletionRequestDto,
  ModelDto,
  ModelListDto,
  OpenAiErrorDto,
} from './openai.dto';
export { DeletedResponseDto, ResponseDto, ResponseRequestDto } from './responses.dto';
export { MessageDto, NewSessionDto, SessionDto } from './session.dto';
export { ToolDetailDto, ToolSummaryDto } from './tool.dto';
