// The bodies and queries of the endpoints, with their validation.
export { isKeptJson } from './keep-json.decorator';
export { ChatDto, chatInputOf } from './chat.dto';
export { ToolResultDto } from './tool-result.dto';
export { actionsOf, ActionsDto } from './actions.dto';
export { withoutNulls } from './fields';
