import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth, ApiParam } from '@nestjs/swagger';
import { Tool } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import type { User } from '../auth/jwt.strategy';
import { CreateTaskDto, UpdateTaskDto } from './task.dto';
import type { Task } from './task.entity';
import { TasksService } from './tasks.service';

@ApiBearerAuth()
@Controller('tasks')
@UseGuards(JwtAuthGuard)
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @Tool({ name: 'list_tasks', description: 'List the tasks of the user' })
  @Get()
  list(@CurrentUser() { id }: User): Promise<Task[]> {
    return this.tasks.list(id);
  }

  @Tool({ name: 'create_task', description: 'Add a task' })
  @Post()
  create(@CurrentUser() { id }: User, @Body() task: CreateTaskDto): Promise<Task> {
    return this.tasks.create(id, task);
  }

  @Tool({ name: 'update_task', description: 'Rename a task, or mark it as done' })
  @ApiParam({ name: 'id', description: 'The number of the task' })
  @Patch(':id')
  update(
    @CurrentUser() user: User,
    @Param('id', ParseIntPipe) id: number,
    @Body() changes: UpdateTaskDto,
  ): Promise<Task> {
    return this.tasks.update(user.id, id, changes);
  }

  // Not every route is for the agent: this one has no @Tool.
  @Delete(':id')
  @HttpCode(204)
  remove(@CurrentUser() user: User, @Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.tasks.remove(user.id, id);
  }
}
