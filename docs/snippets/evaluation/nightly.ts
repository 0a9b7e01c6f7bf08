import { Injectable, Logger } from '@nestjs/common';
import { AgentService } from 'nestjs-agent';
import { checkEvals, evaluate, type EvalSummary } from 'nestjs-agent/evals';

@Injectable()
export class Nightly {
  private readonly logger = new Logger(Nightly.name);

  constructor(private readonly agent: AgentService) {}

  /** @throws InvalidEvalsError if these are no evaluations */
  run(contents: unknown): Promise<EvalSummary> {
    return evaluate(this.agent, checkEvals(contents), {
      caller: (name = 'ada') => ({
        principal: name,
        request: { headers: { authorization: `Bearer ${name}` } },
      }),
      repeat: 5,
      threshold: 0.8,
      onCase: ({ name, outcome }) => this.logger.log(`${name}: ${outcome}`),
    });
  }
}
