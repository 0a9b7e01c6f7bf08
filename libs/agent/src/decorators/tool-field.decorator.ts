import { addToolField, type ToolFieldOptions } from '../schema';

/**
 * Describes a DTO's property to the model.
 *
 * @param options `required` overrides the validators
 * @example
 * export class DeployDto {
 *   \@ToolField({ description: 'Name of the application', example: 'web-shop' })
 *   \@IsString()
 *   name!: string;
 * }
 */
export function ToolField(options: ToolFieldOptions = {}): PropertyDecorator {
  return (target, property) => {
    addToolField(target, String(property), options);
  };
}
