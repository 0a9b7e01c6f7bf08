import { Body, Controller, HttpCode, HttpStatus, Param, Post, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import { Roles } from '../auth/roles.decorator';
import { RolesGuard } from '../auth/roles.guard';
import type { User } from '../auth/user';
import { type Deployment, DeploymentsService } from './deployments.service';
import { DeployApplicationDto } from './dto/deploy-application.dto';

/** Which version of an application runs */
@Controller('applications/:name')
@UseGuards(JwtAuthGuard, RolesGuard)
export class DeploymentsController {
  constructor(private readonly deployments: DeploymentsService) {}

  /** Deploy a version of an application */
  @Tool({ name: 'deploy_application' })
  @Post('deployments')
  @Roles(['developer', 'admin'])
  deploy(
    @CurrentUser() user: User,
    /**
     * Name of the application
     * @example demo-app
     */
    @Param('name')
    name: string,
    @Body() { version }: DeployApplicationDto,
  ): Deployment {
    return this.deployments.deploy(user, name, version);
  }

  /** Roll an application back to the version that ran before. Only admins may. */
  @Tool({ name: 'rollback_application', destructive: true })
  @Post('rollback')
  @HttpCode(HttpStatus.OK)
  @Roles(['admin'])
  rollBack(
    @CurrentUser() user: User,
    /**
     * Name of the application
     * @example demo-app
     */
    @Param('name')
    name: string,
  ): Deployment {
    return this.deployments.rollBack(user, name);
  }
}
