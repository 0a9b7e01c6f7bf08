import { documentedDto } from './documented.decorator';

/** Whether the result of a tool in the browser was expected. */
export const DeliveryDto = documentedDto('AgentDelivery', {
  success: ['Whether it was delivered', { type: Boolean }],
  message: ['The same as a sentence'],
});
