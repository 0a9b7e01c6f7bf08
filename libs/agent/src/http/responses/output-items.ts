import type { Tagged } from '../../internal';
import { resultText, type JsonObject, type EventOf } from '../../message';
import { approvalIdOf } from './response-ids';

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The fields of an item, by its type; each has an `id` besides. */
interface Fields {
  message: { status: ItemStatus; role: 'assistant'; content: readonly object[] };
  reasoning: { status: ItemStatus; summary: readonly never[]; content: readonly object[] };
  function_call: { status: ItemStatus; call_id: string; name: string; arguments: string };
  mcp_call: ServerCall & {
    status: 'in_progress' | 'completed' | 'failed';
    approval_request_id: string | null;
    output: string | null;
    error: string | null;
  };
  mcp_approval_request: ServerCall;
}

/** A call of one of the application's own tools. */
interface ServerCall {
  server_label: string;
  name: string;
  arguments: string;
}

/** An item of a response's output. */
export type OutputItem = Tagged<Fields> & { readonly id: string };

type Item<Type extends OutputItem['type']> = Extract<OutputItem, { type: Type }>;

/** The parts of a call that an item contains. */
export interface ItemCall {
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
export function functionCall({ callId, name, input }: ItemCall): Item<'function_call'> {
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
  { callId, name, input, agent }: ItemCall,
  agentName: string,
  wasAsked: boolean,
): Item<'mcp_call'> {
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
  call: Item<'mcp_call'>,
  { output, isError }: EventOf<'tool.result'>,
): Item<'mcp_call'> {
  const text = resultText(output);
  if (isError) return { ...call, status: 'failed', error: text };
  return { ...call, status: 'completed', output: text };
}

export function approvalRequest(
  { callId, name, input, agent }: ItemCall,
  agentName: string,
): Item<'mcp_approval_request'> {
  return {
    id: approvalIdOf(callId),
    type: 'mcp_approval_request',
    server_label: agent ?? agentName,
    name,
    arguments: JSON.stringify(input),
  };
}
