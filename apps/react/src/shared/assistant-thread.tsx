import {
  ActionBarPrimitive,
  AttachmentPrimitive,
  AuiIf,
  ComposerPrimitive,
  ErrorPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAuiState,
  type ToolCallMessagePartComponent,
} from '@assistant-ui/react';
import { createContext, useContext } from 'react';

const ToolPart = createContext<ToolCallMessagePartComponent>(() => null);

interface ThreadProps {
  /** How a call of a tool is shown. */
  readonly tool: ToolCallMessagePartComponent;
  readonly onStop: () => void;
  /** Whether an edited message replaces the one that it was. */
  readonly mayEdit?: boolean;
}

/** A conversation of assistant-ui, plainly dressed; both of its pages show it. */
export function Thread({ tool, onStop, mayEdit = false }: ThreadProps) {
  return (
    <ToolPart value={tool}>
      <ThreadPrimitive.Root className="chat" role="main">
        <ThreadPrimitive.Viewport className="log" role="log">
          <ThreadPrimitive.Messages
            components={{
              UserMessage: mayEdit ? EditableMessage : UserMessage,
              UserEditComposer: EditedMessage,
              AssistantMessage,
            }}
          />
        </ThreadPrimitive.Viewport>
        <ComposerPrimitive.Root className="composer">
          <ComposerPrimitive.Attachments components={{ Attachment: Picture }} />
          <ComposerPrimitive.AddAttachment>Add picture</ComposerPrimitive.AddAttachment>
          <ComposerPrimitive.Input aria-label="Message" placeholder="Message" rows={1} />
          <AuiIf condition={({ thread }) => !thread.isRunning}>
            <ComposerPrimitive.Send className="primary">Send</ComposerPrimitive.Send>
          </AuiIf>
          <AuiIf condition={({ thread }) => thread.isRunning}>
            <ComposerPrimitive.Cancel onClick={onStop}>Stop</ComposerPrimitive.Cancel>
          </AuiIf>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </ToolPart>
  );
}

function UserMessage() {
  return (
    <MessagePrimitive.Root className="message user">
      <MessagePrimitive.Attachments components={{ Attachment: Picture }} />
      <MessagePrimitive.Parts components={{ Text, Image }} />
    </MessagePrimitive.Root>
  );
}

function EditableMessage() {
  return (
    <>
      <UserMessage />
      <ActionBarPrimitive.Root className="actions" hideWhenRunning>
        <ActionBarPrimitive.Edit>Edit</ActionBarPrimitive.Edit>
      </ActionBarPrimitive.Root>
    </>
  );
}

function EditedMessage() {
  return (
    <ComposerPrimitive.Root className="composer">
      <ComposerPrimitive.Input aria-label="Edited message" rows={1} />
      <ComposerPrimitive.Cancel>Cancel</ComposerPrimitive.Cancel>
      <ComposerPrimitive.Send className="primary">Replace</ComposerPrimitive.Send>
    </ComposerPrimitive.Root>
  );
}

function AssistantMessage() {
  const tool = useContext(ToolPart);
  return (
    <MessagePrimitive.Root className="message assistant">
      <MessagePrimitive.Parts
        components={{ Text, Reasoning, Empty: () => null, tools: { Override: tool } }}
      />
      <MessagePrimitive.Error>
        <ErrorPrimitive.Root className="error">
          <ErrorPrimitive.Message />
        </ErrorPrimitive.Root>
      </MessagePrimitive.Error>
      <AuiIf
        condition={({ message }) => message.isLast && message.status?.type !== 'requires-action'}
      >
        <ActionBarPrimitive.Root className="actions" hideWhenRunning>
          <ActionBarPrimitive.Reload>Regenerate</ActionBarPrimitive.Reload>
        </ActionBarPrimitive.Root>
      </AuiIf>
    </MessagePrimitive.Root>
  );
}

function Text({ text }: { text: string }) {
  return <p>{text}</p>;
}

function Reasoning({ text }: { text: string }) {
  return <p className="reasoning">{text}</p>;
}

function Image({ image }: { image: string }) {
  return <img src={image} alt="Picture" />;
}

function Picture() {
  const shown = useAuiState(({ attachment }) =>
    attachment.content?.find((part) => part.type === 'image'),
  );
  return (
    <AttachmentPrimitive.Root className="attachment">
      {shown ? <Image image={shown.image} /> : <AttachmentPrimitive.Name />}
    </AttachmentPrimitive.Root>
  );
}
