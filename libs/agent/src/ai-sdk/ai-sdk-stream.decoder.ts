import { isJsonObject, type FinishReason, type JsonObject, type Usage } from '../message';
import { type AssemblerOptions, readArguments, ToolCallAssembler } from '../model/tool-calls';
import type { ModelEvent } from '../model';
import { notKept } from '../model/history';
import { cutOff, finishEvent, isCut, responseOf, SourceList } from '../model/stream';
import type { ObservedResponse } from '../telemetry';
import { isAiSdkRefusal, toAiSdkError } from './ai-sdk-error';
import type { AiSdkPart } from './ai-sdk-part';
import { mergedMetadata, toJson, type AiSdkOwner } from './ai-sdk-provider-data';
import { aiSdkUsage } from './ai-sdk-usage';

export interface AiSdkDecoderOptions extends AssemblerOptions {
  readonly modelName: string;
  readonly owner: AiSdkOwner;
}

/** The index of a call, and its state. */
interface CallPlace {
  readonly index: number;
  /** Whether its arguments arrived in pieces. */
  hasPieces: boolean;
  isWhole: boolean;
  /** Whether the call was passed on: nothing is added to it. */
  isGiven: boolean;
}

type End = Exclude<FinishReason, 'error'>;

/** Converts the parts of one answer into events. Pure state, without access to the stream. */
export class AiSdkStreamDecoder {
  private readonly calls: ToolCallAssembler;
  private readonly places = new Map<string, CallPlace>();
  /** Calls of the provider's own tools that wait for their result. */
  private readonly executed = new Map<string, AiSdkPart>();
  private readonly metadata = new Map<string, JsonObject | undefined>();
  private readonly sources = new SourceList();
  /** Whether a text has ended, so that the next one is a new block. */
  private isTextOver = false;
  private reason: string | undefined;
  private hasContent = false;
  private wasRefused = false;
  private usage: Usage | undefined;
  private answer: { readonly id?: string; readonly model?: string | undefined } = {};
  private rawReason: string | undefined;

  /** Number of files from the model. */
  private files = 0;

  constructor(private readonly options: AiSdkDecoderOptions) {
    this.calls = new ToolCallAssembler(options);
  }

  get isFinished(): boolean {
    return this.reason !== undefined;
  }

  /** Whether the provider refused to answer; only its usage may still follow. */
  get isRefused(): boolean {
    return this.wasRefused;
  }

  get response(): ObservedResponse {
    return responseOf(this.answer.id, this.answer.model, this.rawReason);
  }

  /** @throws ModelError if the part reports an error */
  add(part: AiSdkPart): readonly ModelEvent[] {
    const events = this.eventsOf(part);
    this.hasContent ||= events.length > 0;
    return events;
  }

  private eventsOf(part: AiSdkPart): readonly ModelEvent[] {
    const { type, id = '', delta = '' } = part;
    switch (type) {
      case 'text-start':
        this.addMetadata(`text ${id}`, part);
        return this.isTextOver ? [{ type: 'text.end' }] : [];
      case 'text-delta':
        this.addMetadata(`text ${id}`, part);
        this.isTextOver = false;
        return delta === '' ? [] : [{ type: 'text.delta', delta }];
      case 'text-end':
        for (const { source } of part.citations ?? []) if (source) this.addSource(source);
        return this.endText(`text ${id}`, part);
      case 'reasoning-start':
        this.isTextOver = false;
        this.addMetadata(id, part);
        return this.wholeCalls();
      case 'reasoning-delta':
        this.isTextOver = false;
        this.addMetadata(id, part);
        return delta === '' ? [] : [{ type: 'reasoning.delta', delta }];
      case 'reasoning-end':
        return this.endReasoning(id, part.providerMetadata);
      case 'tool-input-start':
        return part.providerExecuted === true ? [] : this.begin(id, part);
      case 'tool-input-delta':
        return this.addInput(id, delta);
      case 'tool-call':
        if (part.providerExecuted !== true) return this.addCall(part);
        this.executed.set(part.toolCallId ?? '', part);
        return [];
      case 'tool-result':
        return part.preliminary === true ? [] : this.endExecuted(part);
      case 'source':
        this.addSource(part);
        return [];
      case 'file':
        return [this.fileOf(part)];
      case 'response-metadata':
        this.answer = { id, model: part.modelId };
        return [];
      case 'finish':
        this.rawReason = rawReason(part.finishReason);
        this.reason = isReasonMissing(part.finishReason, this.hasContent || this.places.size > 0)
          ? undefined
          : unifiedReason(part.finishReason);
        this.usage = aiSdkUsage(part.usage, part.providerMetadata);
        return [];
      case 'error':
        if (!isAiSdkRefusal(part.error)) throw toAiSdkError(part.error, this.options.modelName);
        this.refuse();
        return [];
      default:
        return [];
    }
  }

  /** The provider refused to answer. */
  refuse(): void {
    this.wasRefused = true;
  }

  /** @throws ModelError if the model did not report its end, or reported a failure */
  finish(): readonly ModelEvent[] {
    const given = this.wasRefused ? 'content-filter' : this.reason;
    if (given === undefined || given === 'error') throw cutOff(this.options.modelName);
    const reason = this.reasonOf(given);
    return [...this.rest(isCut(reason)), finishEvent(reason, this.usage)];
  }

  /** The part of an interrupted answer that can be kept. */
  salvage(): readonly ModelEvent[] {
    return this.rest(true);
  }

  private rest(isBroken: boolean): readonly ModelEvent[] {
    return [
      ...[...this.executed.keys()].flatMap((toolCallId) => this.endExecuted({ toolCallId })),
      ...this.sources.events(),
      ...this.calls.finish(isBroken),
    ];
  }

  private addMetadata(key: string, { providerMetadata }: AiSdkPart): void {
    this.metadata.set(key, mergedMetadata(this.metadata.get(key), providerMetadata));
  }

  private endText(key: string, part: AiSdkPart): readonly ModelEvent[] {
    this.addMetadata(key, part);
    const providerData = this.options.owner.dataOf(this.metadata.get(key));
    this.isTextOver = providerData === undefined;
    return providerData ? [{ type: 'text.end', providerData }] : [];
  }

  private endReasoning(id: string, metadata: unknown): readonly ModelEvent[] {
    const all = mergedMetadata(this.metadata.get(id), metadata);
    const providerData = this.options.owner.dataOf(all);
    return providerData ? [{ type: 'reasoning.end', providerData }] : [];
  }

  private begin(id: string, { toolName }: AiSdkPart): readonly ModelEvent[] {
    const index = this.places.size;
    this.places.set(id, { index, hasPieces: false, isWhole: false, isGiven: false });
    return this.calls.add(index, { id, name: toolName, isFirst: true });
  }

  private addInput(id: string, delta: string): readonly ModelEvent[] {
    const place = this.places.get(id);
    if (place === undefined || place.isGiven || delta === '') return [];
    place.hasPieces = true;
    return this.calls.add(place.index, { arguments: delta });
  }

  private addCall({ toolCallId = '', ...part }: AiSdkPart): readonly ModelEvent[] {
    const begun = this.places.has(toolCallId) ? [] : this.begin(toolCallId, part);
    const place = this.places.get(toolCallId);
    if (place?.isGiven === true) return [];
    if (place) place.isWhole = true;
    const providerData = this.options.owner.dataOf(part.providerMetadata);
    const rest = this.calls.add(place?.index, {
      ...(place?.hasPieces === true ? {} : { arguments: part.input }),
      ...(providerData && { providerData }),
    });
    return [...begun, ...rest];
  }

  /** The calls before a thought, which keeps its place: Claude signs it for that. */
  private wholeCalls(): readonly ModelEvent[] {
    const places = [...this.places.values()];
    if (!places.every(({ isWhole }) => isWhole)) return [];
    for (const place of places) place.isGiven = true;
    return this.calls.finish(false);
  }

  private fileOf({ mediaType, file }: AiSdkPart): ModelEvent {
    this.files += 1;
    const notice = notKept(mediaType ?? file?.mediaType ?? 'unknown type');
    return { type: 'provider_tool', id: `file_${this.files}`, name: 'file', notice };
  }

  /** A call that the provider ran, with its result if there is one. */
  private endExecuted(result: AiSdkPart): readonly ModelEvent[] {
    const { toolCallId = '' } = result;
    const call = this.executed.get(toolCallId);
    this.executed.delete(toolCallId);
    const name = call?.toolName ?? result.toolName ?? 'unnamed_tool';
    const read = call && readArguments(call.input ?? '');
    const input = read?.malformedInput === undefined ? read?.input : undefined;
    const output = result.result === undefined ? undefined : toJson(result.result);
    const base = { toolCallId, toolName: name };
    const parts = [
      ...(call
        ? [
            {
              ...base,
              type: 'tool-call',
              input: input ?? {},
              providerExecuted: true,
              ...optionsOf(call),
            },
          ]
        : []),
      ...(output === undefined
        ? []
        : [
            {
              ...base,
              type: 'tool-result',
              output: { type: result.isError === true ? 'error-json' : 'json', value: output },
              ...optionsOf(result),
            },
          ]),
    ];
    return [
      {
        type: 'provider_tool',
        id: toolCallId,
        name,
        ...(input && { input }),
        ...(output !== undefined && { output }),
        // Providers reject a call without its result.
        ...(parts.length === 2 && {
          providerData: this.options.owner.own({ parts: toJson(parts) }),
        }),
      },
    ];
  }

  private addSource({ sourceType, url, title }: AiSdkPart): void {
    if (sourceType === 'url') this.sources.add(url, title);
  }

  private reasonOf(reason: string): End {
    if (reason === 'length') return 'max_tokens';
    if (reason === 'content-filter') return 'refusal';
    return this.places.size === 0 ? 'end_turn' : 'tool_use';
  }
}

function optionsOf({ providerMetadata }: AiSdkPart): object {
  return isJsonObject(providerMetadata) ? { providerOptions: toJson(providerMetadata) } : {};
}

/** The provider's own word: v2 has a plain word, later versions add their own beside it. */
function rawReason(reason: AiSdkPart['finishReason']): string | undefined {
  return typeof reason === 'object' ? reason.raw : reason;
}

function unifiedReason(reason: AiSdkPart['finishReason']): string {
  return (typeof reason === 'object' ? reason.unified : reason) ?? 'other';
}

/**
 * Whether the provider gave no reason: packages invent one for every stream that ends. v2 has the same
 * value for reasons unknown to a package, so an answer with content counts as complete.
 */
function isReasonMissing(reason: AiSdkPart['finishReason'], hasContent: boolean): boolean {
  if (typeof reason === 'object') return reason.unified === 'other' && reason.raw === undefined;
  return reason === 'unknown' && !hasContent;
}
