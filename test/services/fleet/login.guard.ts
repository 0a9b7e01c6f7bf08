import { readFileSync } from 'node:fs';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { settings } from './settings';

export interface LoggedIn {
  readonly headers: { readonly authorization?: string; readonly 'idempotency-key'?: string };
  user?: { id: string };
}

/** Tokens are `<anything>:<user>`. */
@Injectable()
export class LoginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<LoggedIn>();
    const id = request.headers.authorization?.split(':')[1];
    const revoked = readFileSync(settings.revoked, 'utf8').split('\n');
    if (id === undefined || revoked.includes(id)) return false;
    request.user = { id };
    return true;
  }
}
