import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  NotFoundException,
  UseGuards,
} from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import type { RequestOfUser } from '../start/header.guard';

// #region guard
@Injectable()
export class DoorkeeperGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<RequestOfUser>().user.id === 'grace';
  }
}

@Injectable()
export class GateTools {
  @UseGuards(DoorkeeperGuard)
  @Tool({ description: 'Open the gate', idempotent: true })
  open_gate() {
    return 'The gate is open.';
  }
}
// #endregion guard

/** Each fails in a way of its own. */
@Injectable()
export class FaultyTools {
  @Tool({ description: 'Read the log of the gate', readOnly: true })
  read_gate_log() {
    throw new NotFoundException('Nobody keeps a log of the gate.');
  }

  @Tool({ description: 'Look through the camera', readOnly: true, retry: { maxAttempts: 1 } })
  look_through_camera() {
    throw new Error('connect ECONNREFUSED 10.0.0.7:554');
  }

  @Tool({
    description: 'Wait for a lorry',
    readOnly: true,
    timeoutMs: 100,
    retry: { maxAttempts: 1 },
  })
  wait_for_lorry() {
    return new Promise(() => undefined);
  }
}
