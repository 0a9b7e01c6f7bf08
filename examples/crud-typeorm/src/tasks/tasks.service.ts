import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { CreateTaskDto, UpdateTaskDto } from './task.dto';
import { Task } from './task.entity';

@Injectable()
export class TasksService {
  constructor(@InjectRepository(Task) private readonly tasks: Repository<Task>) {}

  list(owner: string): Promise<Task[]> {
    return this.tasks.findBy({ owner });
  }

  async create(owner: string, { title }: CreateTaskDto): Promise<Task> {
    const { id } = await this.tasks.save({ owner, title });
    return this.find(owner, id);
  }

  async update(owner: string, id: number, changes: UpdateTaskDto): Promise<Task> {
    await this.find(owner, id);
    await this.tasks.update({ id }, changes);
    return this.find(owner, id);
  }

  async remove(owner: string, id: number): Promise<void> {
    await this.find(owner, id);
    await this.tasks.delete({ id });
  }

  private async find(owner: string, id: number): Promise<Task> {
    const task = await this.tasks.findOneBy({ id, owner });
    if (task === null) throw new NotFoundException(`There is no task ${id}.`);
    return task;
  }
}
