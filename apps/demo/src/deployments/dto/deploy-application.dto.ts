import { IsSemVer } from 'class-validator';

export class DeployApplicationDto {
  /**
   * Version to deploy, as major.minor.patch
   * @example 2.5.0
   */
  @IsSemVer()
  version!: string;
}
