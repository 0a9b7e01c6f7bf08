import { resultText, type JsonObject, type EventOf } from '../../message';
import { approvalIdOf } from './response-ids';

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

interface MessageItem {
  readonly id: string;
  readonly type: 'message';
  readonly status: ItemStatus;
  readonly role: 'assistant';
  readonly content: readonly object[];
}

interface ReasoningItem {
  readonly id: string;
  readonly type: 'reasoning';
  readonly status: ItemStatus;
  readonly summary: readonly never[];
  readonly content: readonly object[];
}

interface FunctionCallItem {
  readonly id: string;
  readonly type: 'function_call';
  readonly status: ItemStatus;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface McpCallItem {
  readonly id: string;
  readonly type: 'mcp_call';
  readonly status: 'in_progress' | 'completed' | 'failed';
  readonly server_label: string;
  readonly name: string;
  readonly arguments: string;
  readonly approval_request_id: string | null;
  readonly output: string | null;
  readonly error: string | null;
}

interface McpApprovalRequestItem {
  readonly id: string;
  readonly type: 'mcp_approval_request';
  readonly server_label: string;
  readonly name: string;
  readonly arguments: string;
}

/** An item of a response's output. */
export type OutputItem =
  MessageItem | ReasoningItem | FunctionCallItem | McpCallItem | McpApprovalRequestItem;

/** A call, as far as an item tells it. */
export interface ToldCall {
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  /** The asked agent whose call it is; missing for the run's own. */
  readonly agent?: string;
}

/** The kind of a text: part of the answer, or reasoning. */
export type TextKind = 'message' | 'reasoning';

export function textPart(kind: TextKind, text: string): object {
  if (kind === 'reasoning') return { type: 'reasoning_text', text };
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function textItem(
  kind: TextKind,
  id: string,
  status: ItemStatus,
  content: readonly object[],
): OutputItem {
  if (kind === 'reasoning') return { id, type: kind, status, summary: [], content };
  return { id, type: kind, status, role: 'assistant', content };
}

/** A call for the client to execute. */
export function functionCall({ callId, name, input }: ToldCall): FunctionCallItem {
  return {
    id: `fc_${callId}`,
    type: 'function_call',
    status: 'completed',
    call_id: callId,
    name,
    arguments: JSON.stringify(input),
  };
}

/** A call of one of the application's own tools. */
export function mcpCall(
  { callId, name, input, agent }: ToldCall,
  agentName: string,
  wasAsked: boolean,
): McpCallItem {
  return {
    id: `mcp_${callId}`,
    type: 'mcp_call',
    status: 'in_progress',
    server_label: agent ?? agentName,
    name,
    arguments: JSON.stringify(input),
    approval_request_id: wasAsked ? approvalIdOf(callId) : null,
    output: null,
    error: null,
  };
}

export function settled(
  call: McpCallItem,
  { output, isError }: EventOf<'tool.result'>,
): McpCallItem {
  const text = resultText(output);
  if (isError) return { ...call, status: 'failed', error: text };
  return { ...call, status: 'completed', output: text };
}

export function approvalRequest(
  { callId, name, input, agent }: ToldCall,
  agentName: string,
): McpApprovalRequestItem {
  return {
    id: approvalIdOf(callId),
    type: 'mcp_approval_request',
    server_label: agent ?? agentName,
    name,
    arguments: JSON.stringify(input),
  };
}
