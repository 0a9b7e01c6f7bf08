import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestMiddleware,
  type NestModule,
  Req,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { AgentModule, Tool } from 'nestjs-agent';

interface MaybeOfUser {
  readonly headers: Record<string, string | undefined>;
  user?: { readonly id: string };
}

@Injectable()
export class LoginMiddleware implements NestMiddleware {
  use(request: MaybeOfUser, _response: unknown, next: () => void): void {
    const id = /^Bearer (ada|grace)$/.exec(request.headers.authorization ?? '')?.[1];
    if (id === undefined) throw new UnauthorizedException();
    request.user = { id };
    next();
  }
}

@Controller('me')
export class MeController {
  @Tool({ name: 'who_am_i', description: 'Who the user is' })
  @Get()
  find(@Req() { user }: MaybeOfUser) {
    return user;
  }
}

// #region module
@Injectable()
export class LoggedInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<MaybeOfUser>().user !== undefined;
  }
}

@Module({
  imports: [AgentModule.forRoot({ decorators: [UseGuards(LoggedInGuard)] })],
  controllers: [MeController],
})
export class LoginModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(LoginMiddleware)
      .exclude('agent/ui', 'agent/ui/*path', 'agent/health')
      .forRoutes('agent/*path', MeController);
  }
}
// #endregion module
