import { Injectable } from '@nestjs/common';
import { AgentError, type ToolContext, type ToolTraits } from '../../tool';
import type { AskedBy } from '../context';
import type { AskableAgent, ChatAction, ChatResult } from '../request';

export interface Question {
  readonly by: AskedBy;
  readonly message: string;
}

/** An agent, as the agents that ask it see it. */
export interface AskedAgent {
  readonly name: string;
  readonly description: string;
  /** The agents that it may ask. */
  readonly asks: readonly AskableAgent[];
  /** Its effects: the combined effects of all its tools. */
  readonly effects: Pick<ToolTraits, 'readOnly' | 'concurrencySafe' | 'openWorld'>;
  /** @throws the error of a guard that refuses the caller */
  askGuards(context: ToolContext): Promise<void>;
  /** Answers the question, or continues once its pending actions are answered. */
  proceed(question: Question): Promise<ChatResult>;
  /** Checks answers to pending actions without storing them. @throws the error of a refused answer */
  check(by: AskedBy, answers: readonly ChatAction[]): Promise<void>;
  /** Stores answers to pending actions; the run still waits. */
  accept(by: AskedBy, answers: readonly ChatAction[]): Promise<void>;
  /** Removes the sessions of this agent that belong to a conversation. */
  forget(sessionId: string): Promise<void>;
  /** Ends the run of a call and returns its result; `undefined` if there is none. */
  conclude(by: AskedBy): Promise<ChatResult | undefined>;
}

/** All agents of the application, by name. */
@Injectable()
export class AgentDirectory {
  private readonly agents = new Map<string, AskedAgent>();

  /** @throws AgentError `invalid_options` if the name is taken */
  add(agent: AskedAgent): void {
    if (this.agents.has(agent.name)) {
      throw new AgentError(
        'invalid_options',
        `Two agents have the name "${agent.name}". Give each agent a name of its own.`,
      );
    }
    this.agents.set(agent.name, agent);
  }

  find(name: string): AskedAgent | undefined {
    return this.agents.get(name);
  }

  get names(): readonly string[] {
    return [...this.agents.keys()];
  }
}
