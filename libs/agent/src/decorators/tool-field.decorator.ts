import { addToolField, type ToolFieldOptions } from '../schema';

/**
 * Tells the model about a property of a DTO.
 *
 * @param options `required` overrules what the validators say
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
