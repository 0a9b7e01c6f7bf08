import { IsSemVer } from 'class-validator';
import { ToolField } from 'nestjs-agent';

export class DeployApplicationDto {
  @ToolField({ description: 'Version to deploy, as major.minor.patch', example: '2.5.0' })
  @IsSemVer()
  version!: string;
}
