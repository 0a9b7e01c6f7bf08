// Each entry is one fault: a text of a file, its replacement, and the tests that must fail. Without
// `tests` it is the spec beside the file.
const L = 'libs/agent/src';

function fault(path, find, replace, tests) {
  const file = path.startsWith('libs/') ? path : `${L}/${path}`;
  return { file, find, replace, tests: tests ?? file.replace(/\.ts$/, '.spec.ts') };
}

export const FAULTS = [
  // internal, message, tool
  fault('internal/text/printable.ts', "padStart(4, '0')", "padStart(3, '0')"),
  fault('message/usage.ts', 'Math.min(part, whole)', 'part'),
  fault('tool/optional-package.ts', "error.message.includes(`'${name}'`)", 'true'),
  fault('tool/boot-report.ts', 'if (known.has(warning)) return;', ''),
  // checks, telemetry
  fault(
    'checks/option-check.ts',
    'isNumber(value) && value > 0 && (Number',
    'isNumber(value) && (Number',
    `${L}/options/check/check-options.spec.ts`,
  ),
  // schema
  fault('schema/arguments/parse-arguments.ts', "'constructor', ", ''),
  fault(
    'schema/arguments/parse-arguments.ts',
    'this.path.length >= MAX_DEPTH',
    'this.path.length > MAX_DEPTH',
  ),
  fault(
    'schema/arguments/omit-nulls.ts',
    '!views.some(({ required }) => required?.includes(key)) &&',
    '',
  ),
  fault('schema/arguments/union-errors.ts', 'if (objects.length === 1) return objects[0];', ''),
  fault('schema/from-class/pipe-schema.ts', 'isRequired ??= false;\n      continue;', 'continue;'),
  fault(
    'schema/json-schema/close-objects.ts',
    "isComposed ? 'unevaluatedProperties'",
    "isComposed ? 'additionalProperties'",
  ),
  fault('schema/json-schema/sensitive.ts', 'schema.writeOnly === true || someSchema', 'someSchema'),
  // registry, decorators, discovery
  fault(
    'registry/tool.registry.ts',
    'if (registration === undefined) return false;',
    'if (registration === undefined) return true;',
  ),
  fault(
    'registry/runtime-tools/define-tool.ts',
    '...(output === undefined ? {} : { output_schema: outputSchemaOf(output) }),',
    '',
  ),
  // invocation
  fault('invocation/call/json-text.ts', 'if (this.ancestors.includes(shown)) return CIRCULAR;', ''),
  fault('invocation/execute-all.ts', "if (call.response.status !== 'pending') return;", ''),
  fault(
    'invocation/execute-all.ts',
    'call.tool?.traits.concurrencySafe === true',
    'call.tool !== undefined',
  ),
  fault('invocation/result/result-content.ts', 'keys.length === 2 && typeof', 'typeof'),
  fault('invocation/route/request/agent-depth.ts', 'depth < MAX_DEPTH', 'depth <= MAX_DEPTH'),
  fault('invocation/route/request/route-query.ts', '`${key}[${position}]`', 'key'),
  fault(
    'invocation/route/request/route-url.ts',
    'const DOTS = /^(?:\\.|%2e){1,2}$/i;',
    'const DOTS = /^(?:\\.|%2e){2}$/i;',
  ),
  fault('invocation/route/response/route-response.ts', 'location?.split(/[?#]/)[0]', 'location'),
  fault(
    'invocation/stages/settled-value.ts',
    'step.value === undefined ? last?.value : step.value',
    'step.value',
  ),
  fault(
    'invocation/permission/permission-rules.ts',
    "this.of(tool).includes('deny')",
    'false',
    `${L}/invocation/catalog/tool.catalog.spec.ts`,
  ),
  // model
  fault('model/stream/retry.ts', '!error.isRetryable', 'false'),
  fault(
    'model/stream/retry.ts',
    'attempt >= (options.maxAttempts ?? 3)',
    'attempt > (options.maxAttempts ?? 3)',
  ),
  fault('model/openai/stream/think-tags.ts', "this.held === '' || mayBeHead", 'mayBeHead'),
  fault(
    'model/tool-calls/tool-arguments.ts',
    "trimmed === '' || trimmed === 'null'",
    "trimmed === ''",
    'test/model-openai-weather.e2e-spec.ts',
  ),
  fault('model/stream/failures/provider-error.ts', 'if (PER_MINUTE.test(words)) return false;', ''),
  // anthropic
  fault(
    'anthropic/request/anthropic-messages.ts',
    'if (last?.role === role) last.content.push(...content);\n    else ',
    '',
  ),
  // session
  fault(
    'session/compaction/token-counter.ts',
    'if (!LONG_RUN.test(text)) return count(text);',
    'return count(text);',
  ),
  fault('session/record/session-fold.ts', 'if (message.content.length === 0) return state;', ''),
  fault('session/session-sweeper.ts', 'if (!this.isStopped) this.schedule();', ''),
  fault(
    'session/stores/memory.store.ts',
    'if (!holds(session, lease)) throw new LeaseLostError();',
    '',
  ),
  fault(
    'session/stores/memory.store.ts',
    'if (versionOf(session) !== expectedVersion) throw new VersionConflictError();',
    '',
  ),
  // run
  fault('run/loop/repeated-calls.ts', '>= LOOP_AT - 1', '>= LOOP_AT'),
  fault('run/context/attendance.ts', 'return once(() => {', 'return Object(() => {'),
  fault(
    'run/spending/budget.ts',
    'if (prices === undefined) return true;',
    'if (prices === undefined) continue;',
  ),
  fault(
    'run/queue/sealing.ts',
    'Number(version) !== VERSION || Number(deadline) < now',
    'Number(version) !== VERSION',
  ),
  fault('run/queue/run-job.ts', 'if (agent !== undefined && !isId(agent))', 'if (false)'),
  fault('run/bus/memory.bus.ts', 'former && former.leaseToken > run.leaseToken', 'false'),
  fault('run/lifecycle/rewinding.ts', 'question < wholeFrom || ', ''),
  fault('run/request/attachments.ts', 'count > limits.maxCount', 'count > limits.maxCount + 1'),
  // evals, cli
  fault('evals/runner/turn-problems.ts', 'calls.length > maxCalls', 'calls.length > maxCalls + 1'),
  fault('cli/main.ts', 'given.length === 0 ? UNUSABLE : PASSED', 'PASSED'),
  // http
  fault(
    'http/body/structure-meter.ts',
    'if (this.isEscaped) this.isEscaped = false;\n    else ',
    '',
  ),
  fault('http/caller/principal.ts', "id === '' ? undefined : id", 'id'),
  fault('http/sse/flat-event.ts', "case 'approval.required':\n", ''),
  fault(
    'http/body/agent-paths.ts',
    'messages.test(url) ? bodyBytes + attachmentBytes : bodyBytes',
    'bodyBytes',
  ),
  // subpaths
  fault('mcp/client/connection/secrets.ts', 'a.start - b.start', 'b.start - a.start'),
  fault('mcp/resources/uri-template.ts', 'const UNSAFE = /[/\\\\', 'const UNSAFE = /[\\\\'),
  fault(
    'mcp/client/results/tool-result.ts',
    'if (!isReadOnly) return new ToolResult(UNREADABLE);',
    '',
  ),
  fault('otel/otel-options.ts', 'said.trim().toLowerCase()', 'said'),
  fault(
    'redis/signal-text.ts',
    "type === 'delivered' && typeof callId === 'string'",
    "type === 'delivered'",
  ),
  fault('sql/database/sql-errors.ts', "if (code.startsWith('28'))", "if (code === '28')"),
  // In code for one platform: many test files run on one platform only.
  fault('http/wire/fastify.outlet.ts', 'this.code(status);', '', 'test/http-chat.e2e-spec.ts'),
  fault(
    'http/wire/fastify.outlet.ts',
    'this.reply.hijack();',
    '',
    'test/http-conventions.e2e-spec.ts',
  ),
  fault(
    'http/wire/fastify.outlet.ts',
    'if (value !== undefined) this.raw.setHeader(name, value);',
    '',
    'test/http-conventions.e2e-spec.ts',
  ),
  fault(
    'http/body/fastify-body.ts',
    'route.bodyLimit = limit;',
    '',
    'libs/agent/src/http/create-agent-controllers.spec.ts',
  ),
  fault(
    'http/wire/node-http.ts',
    'const { raw } = response as { raw?: ServerResponse };',
    'const raw = undefined as ServerResponse | undefined;',
    'libs/agent/src/http/run-stream.spec.ts',
  ),
  // Through the whole: over HTTP, in a guide, in an application, in the chat page
  fault(
    'http/sse/sse.encoder.ts',
    'id: ${event.seq}',
    'id: 0',
    'test/http-event-source.e2e-spec.ts',
  ),
  fault(
    'http/errors/error-status.ts',
    "['session_busy', 409],",
    '',
    'test/security-ownership.e2e-spec.ts',
  ),
  fault(
    'invocation/permission/permission-rules.ts',
    'if (explicit.length > 0) return explicit;',
    '',
    'docs/snippets/permissions/permissions.spec.ts',
  ),
  fault('invocation/route/request/route-query.ts', 'value.length === 1', 'false'),
  fault('libs/chat-ui/src/state/apply-event.ts', 'if (event.seq <= turn.seq) return turn;', ''),
  fault('libs/chat-ui/src/wire/event-stream.ts', "yield data.join('\\n')", "yield data.join('')"),
  fault('libs/chat-ui/src/wire/event-stream.ts', '|\\r(?!$)', '|\\r'),
];
