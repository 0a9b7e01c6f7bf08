import { useState } from 'preact/hooks';
import { Button } from '../../view/base/button';
import { json } from '../../view/content/format';
import { fieldsOf, inputOf, objectOf, type Typed, typedOf } from '../form-values';
import type { WorkbenchTool, TriedCall } from '../protocol';
import { filled } from '../texts';
import type { WorkbenchApi } from '../workbench-api';
import type { PanelProps } from './app';
import { Attempt } from './attempt';
import { Choice, Pending, Problem, useAttempt, useLoaded } from './parts';
import { SchemaForm } from './schema-form';
import { useWords } from './words-context';

/** Calls a tool by hand. */
export function TryTab({ api, open, go }: PanelProps) {
  const { attempt: T } = useWords();
  const loaded = useLoaded('', () => api.list(false));
  const { value: list } = loaded;
  if (list === undefined) return <Pending of={loaded} />;
  const names = list.tools.map(({ name }) => name);
  const unlisted = open === '' || names.includes(open) ? [] : [open];
  return (
    <div class="narrow">
      <Choice
        name={T.tool}
        value={open}
        options={[['', T.choose], ...[...unlisted, ...names].map((name) => [name, name] as const)]}
        onValue={(name) => go('try', name)}
      />
      {open !== '' && <TriedTool key={open} api={api} name={open} />}
    </div>
  );
}

function TriedTool({ api, name }: { readonly api: WorkbenchApi; readonly name: string }) {
  const loaded = useLoaded(name, () => api.inFull(name));
  const { value: tool } = loaded;
  return tool === undefined ? <Pending of={loaded} /> : <TryForm api={api} tool={tool} />;
}

function TryForm({ api, tool }: { readonly api: WorkbenchApi; readonly tool: WorkbenchTool }) {
  const { attempt: T } = useWords();
  const fields = fieldsOf(tool.input_schema);
  const [typed, setTyped] = useState<Typed>(new Map());
  const [text, setText] = useState<string>();
  const { problem, setProblem, attempt } = useAttempt();
  const [tried, setTried] = useState<TriedCall>();
  const [isBusy, setBusy] = useState(false);
  const does = async (work: () => Promise<TriedCall>): Promise<void> => {
    setBusy(true);
    await attempt(async () => setTried(await work()));
    setBusy(false);
  };
  const call = (event: Event): void => {
    event.preventDefault();
    const read = text === undefined ? inputOf(typed, fields) : { input: objectOf(text) };
    if ('wrong' in read) setProblem(filled(T.wrong, { name: read.wrong }));
    else if (read.input === undefined) setProblem(T.noObject);
    else {
      const { input } = read;
      setTried(undefined);
      void does(() => api.call(tool.name, input));
    }
  };
  const toText = (isText: boolean): void => {
    if (isText) {
      const read = inputOf(typed, fields);
      setText(json('input' in read ? read.input : {}));
      return;
    }
    const input = objectOf(text ?? '');
    if (input) setTyped(typedOf(input, fields));
    setText(undefined);
  };
  const fill = (): void => {
    setTyped(typedOf(tool.example, fields));
    if (text !== undefined) setText(json(tool.example));
  };
  return (
    <>
      <p>{tool.description}</p>
      <form onSubmit={call}>
        <label class="check">
          <input
            type="checkbox"
            checked={text !== undefined}
            onChange={({ currentTarget }) => toText(currentTarget.checked)}
          />
          {T.asJson}
        </label>
        {text === undefined ? (
          <SchemaForm fields={fields} typed={typed} onTyped={setTyped} />
        ) : (
          <label class="field">
            {T.arguments}
            <textarea
              class="code"
              rows={8}
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
        )}
        <Problem text={problem} />
        <div class="buttons">
          <Button
            words={isBusy ? T.calling : T.call}
            type="submit"
            class="primary"
            disabled={isBusy}
          />
          <Button words={T.example} onClick={fill} />
        </div>
      </form>
      <div aria-live="polite">
        {tried && (
          <Attempt
            tried={tried}
            isBusy={isBusy}
            answer={(type) => void does(() => api.answer(tried.callId, type))}
          />
        )}
      </div>
    </>
  );
}
