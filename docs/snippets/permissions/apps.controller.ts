import { Body, Controller, Delete, Get, Param, Post, UseGuards } from '@nestjs/common';
import { IsString, Matches } from 'class-validator';
import { Tool } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';

export class DeploymentDto {
  @IsString()
  @Matches(/^\d+\.\d+$/)
  version!: string;
}

// #region controller
@Controller('apps')
@UseGuards(HeaderGuard)
export class AppsController {
  @Tool({ name: 'list_apps', description: 'List the applications' })
  @Get()
  list() {
    return ['shop', 'blog']; // reads: allowed
  }

  @Tool({ name: 'deploy_app', description: 'Deploy a version of an application' })
  @Post(':name/deployments')
  deploy(@Param('name') name: string, @Body() { version }: DeploymentDto) {
    return `${name} ${version} is out`; // writes: asks
  }

  @Tool({ name: 'add_note', description: 'Note something', permission: 'allow' })
  @Post(':name/notes')
  note(@Param('name') name: string, @Body('text') text: string) {
    return { name, text }; // writes, but is allowed
  }

  @Tool({ name: 'delete_app', description: 'Delete an application' })
  @Delete(':name')
  remove(@Param('name') name: string) {
    return `${name} is gone`; // destroys: asks, and is never remembered
  }
}
// #endregion controller
