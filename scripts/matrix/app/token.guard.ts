import {
  createParamDecorator,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';

export interface User {
  readonly id: string;
}

interface UserRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: User;
}

/** The bearer token is the user's name. */
@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<UserRequest>();
    const [, name] = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '') ?? [];
    if (name === undefined) throw new UnauthorizedException();
    request.user = { id: name };
    return true;
  }
}

export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<UserRequest>().user,
);
