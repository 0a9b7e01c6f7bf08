import { documentedDto } from './documented.decorator';
import { OPTIONAL_TEXT, TIME } from './field-schemas';

/** The body of `GET /health`. */
export const HealthDto = documentedDto('AgentHealth', {
  status: ['The agent is running', { type: String, enum: ['ok'] }],
  model: ["The model's name"],
  timestamp: ['The time of this answer', TIME],
  notice: ['Set if the model is a stand-in', OPTIONAL_TEXT],
  mcp: [
    'The states of the MCP servers, by name',
    { type: 'object', additionalProperties: { type: 'string' }, selfRequired: false },
  ],
});
