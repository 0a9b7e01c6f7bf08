import { ApiHideProperty } from '@nestjs/swagger';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class Task {
  @PrimaryGeneratedColumn()
  id!: number;

  @ApiHideProperty()
  @Column({ select: false })
  owner!: string;

  @Column()
  title!: string;

  @Column({ default: false })
  done!: boolean;
}
