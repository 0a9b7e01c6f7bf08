import { HttpAgent as ModernAgent } from '@ag-ui/client';
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';
import * as pinned from 'ag-ui-client-0.0.59';

/** The two generations of AG-UI's own client. */
export type Generation = '1.0.0' | '0.0.59';
export const GENERATIONS: readonly Generation[] = ['1.0.0', '0.0.59'];

interface Schema {
  parse(value: unknown): unknown;
}

/** The members of a client that tests use; both generations have them. */
export interface AgUiAgent {
  threadId: string;
  messages: readonly AgUiMessage[];
  readonly pendingInterrupts: readonly Interrupt[];
  addMessage(message: object): void;
  setMessages(messages: readonly object[]): void;
  runAgent(parameters?: object, subscriber?: object): Promise<{ result: unknown }>;
  abortRun(): void;
}

export interface AgUiMessage {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly toolCallId?: string;
  readonly toolCalls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

export interface Interrupt {
  readonly id: string;
  readonly toolCallId?: string;
  readonly message?: string;
  readonly responseSchema?: object;
}

interface Client {
  readonly Agent: new (config: object) => AgUiAgent;
  readonly events: Schema;
  readonly input: Schema;
}

export const CLIENTS: Readonly<Record<Generation, Client>> = {
  '1.0.0': {
    Agent: ModernAgent as unknown as Client['Agent'],
    events: EventSchemas,
    input: RunAgentInputSchema,
  },
  '0.0.59': {
    Agent: pinned.HttpAgent as unknown as Client['Agent'],
    events: pinned.EventSchemas,
    input: pinned.RunAgentInputSchema,
  },
};
