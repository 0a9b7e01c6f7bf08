import { DocumentedAs, DocumentedField } from './documented.decorator';

/** Whether the result of a tool in the browser was expected. */
@DocumentedAs('AgentDelivery')
export class DeliveryDto {
  @DocumentedField('Whether it was delivered', { type: Boolean })
  readonly success!: boolean;

  @DocumentedField('The same as a sentence', { type: String })
  readonly message!: string;
}
