import { Body, Controller, HttpCode, HttpStatus, Param, Post, UseGuards } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import { Roles } from '../auth/roles.decorator';
import { RolesGuard } from '../auth/roles.guard';
import type { User } from '../auth/user';
import { type Deployment, DeploymentsService } from './deployments.service';
import { DeployApplicationDto } from './dto/deploy-application.dto';

const NAME = { description: 'Name of the application', example: 'demo-app' };

@Toolkit({ description: 'Which version of an application runs' })
@Controller('applications/:name')
@UseGuards(JwtAuthGuard, RolesGuard)
export class DeploymentsController {
  constructor(private readonly deployments: DeploymentsService) {}

  @Tool({ name: 'deploy_application', description: 'Deploy a version of an application' })
  @Post('deployments')
  @Roles(['developer', 'admin'])
  deploy(
    @CurrentUser() user: User,
    @Param('name') @ToolParam('name', NAME) name: string,
    @Body() { version }: DeployApplicationDto,
  ): Deployment {
    return this.deployments.deploy(user, name, version);
  }

  @Tool({
    name: 'rollback_application',
    description: 'Roll an application back to the version that ran before. Only admins may.',
    destructive: true,
  })
  @Post('rollback')
  @HttpCode(HttpStatus.OK)
  @Roles(['admin'])
  rollBack(
    @CurrentUser() user: User,
    @Param('name') @ToolParam('name', NAME) name: string,
  ): Deployment {
    return this.deployments.rollBack(user, name);
  }
}
