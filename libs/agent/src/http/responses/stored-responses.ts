import { isUnderWay, NO_USAGE, usageSince, type AgentEvent } from '../../message';
import {
  type AgentService,
  type ChatResult,
  RunNotFoundError,
  type SessionClaim,
  type SessionService,
} from '../../run';
import { SessionNotFoundError } from '../../session';
import { OpenAiRequestError } from '../openai';
import { type AgentHttpOptions } from '../options';
import { pointerOf, type ResponsePointer, responseIdOf } from './response-ids';
import { endOf, failureOf, type ResponseEnd, responseObject } from './response-object';
import { type OutputOptions, ResponseOutput } from './response-output';
import {
  callsIn,
  type EarlierCalls,
  eventsSoFar,
  isOnlyEnd,
  partsOfRun,
  type RunPart,
} from './run-parts';

/** A response of an earlier request, read from its session. */
export interface StoredResponse {
  readonly pointer: ResponsePointer;
  /** The run's state. */
  readonly run: ChatResult;
  readonly parts: readonly RunPart[];
  /** The place of the response among the parts. */
  readonly index: number;
  /** ISO 8601. */
  readonly askedAt: string;
  /** Whether the conversation goes on from this response. */
  readonly isLast: boolean;
}

type StoredRun = Pick<StoredResponse, 'run' | 'askedAt' | 'isLast'>;

/** Finds responses by their ids: pointers into sessions, nothing else is stored of them. */
export class StoredResponses {
  constructor(
    private readonly agent: AgentService,
    private readonly sessions: SessionService,
    private readonly options: AgentHttpOptions,
  ) {}

  /**
   * @param param the request's field with the id
   * @throws OpenAiRequestError 404 if this caller has no such response
   */
  async find(id: string, claim: SessionClaim, param: string): Promise<StoredResponse> {
    const pointer = pointerOf(id);
    if (pointer === undefined) throw notFound(id, param);
    const stored = await this.storedRun(pointer.runId, claim);
    if (stored === undefined) throw notFound(id, param);
    const { run, askedAt } = stored;
    const parts = await this.parts(run, claim);
    const index = parts.findIndex(({ after }) => after === pointer.after);
    if (index < 0) throw notFound(id, param);
    const isLast = stored.isLast && parts.slice(index + 1).every(isOnlyEnd);
    return { pointer, run, parts, index, askedAt, isLast };
  }

  /** The parts of a run so far. */
  async parts(
    { runId, status }: Pick<ChatResult, 'runId' | 'status'>,
    claim: SessionClaim,
  ): Promise<readonly RunPart[]> {
    const gone = new AbortController();
    const source = await this.agent.events(runId, { ...claim, signal: gone.signal });
    const isRunning = isUnderWay(status);
    const events = isRunning
      ? await eventsSoFar(source, () => gone.abort())
      : await eventsOf(source);
    return partsOfRun(events, isRunning);
  }

  /** The response as its request was answered, as far as the session knows. */
  show(stored: StoredResponse): object {
    const { pointer, run, parts, index, askedAt } = stored;
    const { events = [], end } = parts[index] ?? {};
    const earlier = parts.slice(0, index);
    const output = new ResponseOutput(this.outputOptions(callsIn(earlier)));
    for (const event of events) output.take(event);
    const before = earlier.at(-1);
    const started = parts[0]?.events.find((event) => event.type === 'run.started');
    const repeated = before && {
      previous_response_id: responseIdOf({ ...pointer, after: before.after }),
    };
    const head = {
      id: responseIdOf(pointer),
      createdAt: Math.floor(Date.parse(askedAt) / 1_000),
      model: started?.model ?? this.options.name,
      sessionId: run.sessionId,
      repeated: { ...repeated },
    };
    return responseObject(head, endingOf(stored), {
      output: output.items,
      ...(end && { usage: usageSince(before?.end?.usage ?? NO_USAGE, end.usage) }),
    });
  }

  /** The settings of an output, without those of a request. */
  outputOptions(earlier: EarlierCalls): OutputOptions {
    const { name, protocols, sendReasoning } = this.options;
    return {
      agentName: name,
      hidesServerItems: protocols.serverItems === 'hidden',
      sendReasoning,
      isJson: false,
      earlier,
      clientNameOf: (tool) => tool,
    };
  }

  /** A run that is part of its conversation; `undefined` if it was taken back, or is another's. */
  private async storedRun(runId: string, claim: SessionClaim): Promise<StoredRun | undefined> {
    try {
      const run = await this.agent.run(runId, claim);
      const transcript = await this.sessions.transcriptFrom(runId, claim);
      const asked = transcript.find((message) => message.runId === runId);
      if (asked === undefined) return undefined;
      const isLast = transcript.at(-1)?.runId === runId;
      return { run, askedAt: asked.at ?? run.timestamp, isLast };
    } catch (error) {
      if (error instanceof RunNotFoundError || error instanceof SessionNotFoundError) {
        return undefined;
      }
      throw error;
    }
  }
}

/** How it ended; a later cancel of a run that waited cancels its last response. */
function endingOf({ run, parts, index }: StoredResponse): ResponseEnd {
  const later = parts.slice(index + 1);
  const isCancelled = later.length > 0 && later.every(isOnlyEnd);
  const end = isCancelled ? later.at(-1)?.end : parts[index]?.end;
  if (end === undefined) return { status: 'in_progress' };
  return endOf(end.status, end.stopReason, failureOf(run));
}

async function eventsOf(source: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of source) events.push(event);
  return events;
}

function notFound(id: string, param: string): OpenAiRequestError {
  return new OpenAiRequestError(
    `Response with id '${id.slice(0, 200)}' not found. Without a log-in, also send the session that the response names as its 'conversation'.`,
    param,
    'response_not_found',
    404,
  );
}
