import type { ToolContext } from '../../tool';

export const RUN_OPTIONS = Symbol('nestjs-agent:run-options');
/** The `SessionStore` of `SESSION_STORE`, abandoned after the shutdown deadline. */
export const RUN_STORE = Symbol('nestjs-agent:run-store');
/** `RunBus`, or `null` without a bus. */
export const RUN_BUS = Symbol('nestjs-agent:run-bus');
/** `RunQueue`, or `null` without one. */
export const RUN_QUEUE = Symbol('nestjs-agent:run-queue');
/**
 * Injection token of the default `ChatModel`. Override it in tests.
 *
 * @example
 * import { Test } from '@nestjs/testing';
 * import { ScriptedModel } from 'nestjs-agent/testing';
 *
 * const app = await Test.createTestingModule({ imports: [AgentModule.forRoot()] })
 *   .overrideProvider(AGENT_MODEL)
 *   .useValue(new ScriptedModel(['Hello!']))
 *   .compile();
 */
export const AGENT_MODEL = Symbol('nestjs-agent:model');
/** `ReadonlyMap<string, ChatModel>`: the further models by name. */
export const AGENT_MODELS = Symbol('nestjs-agent:models');

/** The answer of a run at its step limit. The wording is part of the contract. */
export const MAX_STEPS_MESSAGE =
  "I've executed the requested actions, but the conversation exceeded the maximum number of iterations.";
export const BUDGET_MESSAGE = "I've stopped here, because the budget for this request is used up.";
export const LOOP_MESSAGE =
  "I've stopped here, because I kept repeating the same call without learning anything new.";

/** The guards of an agent, for the agents that ask it. */
export interface AskedGuards {
  /** @throws the error of a guard that refuses the caller */
  readonly ask: ((context: Pick<ToolContext, 'request'>) => Promise<void>) | undefined;
}

/** Injection token of the agent's `AskedGuards`. */
export const ASKED_GUARDS = Symbol('nestjs-agent:asked-guards');
