import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent';

/** Tools whose calls a person approves first: the server asks with an elicitation. */
@Injectable()
export class ApprovalTools {
  @Tool({
    name: 'test_elicitation',
    description: 'Answers once its call is approved',
    permission: 'ask',
  })
  withMessage(@ToolParam('message') message: string): string {
    return `User response: approved ${message}`;
  }

  @Tool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks for approval',
    permission: 'ask',
  })
  withoutArguments(): string {
    return 'Approved.';
  }

  @Tool({
    name: 'test_input_required_result_request_state',
    description: 'Asks for approval and checks the state that comes back',
    permission: 'ask',
  })
  withState(): string {
    return 'state-ok';
  }

  @Tool({
    name: 'test_input_required_result_tampered_state',
    description: 'Asks for approval and refuses a state that was changed',
    permission: 'ask',
  })
  withTamperedState(): string {
    return 'Approved.';
  }
}
