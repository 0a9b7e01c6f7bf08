import { Header } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';

/**
 * Has every route of a controller say that its answer is for this caller and this moment alone, so
 * that neither a browser's disk nor a shared cache keeps conversations.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#name-no-store-2
 */
export function NeverCached(): ClassDecorator {
  return ({ prototype }) => {
    const members = Object.getOwnPropertyDescriptors(prototype as object);
    for (const [name, descriptor] of Object.entries<PropertyDescriptor>(members)) {
      if (!Reflect.hasMetadata(PATH_METADATA, descriptor.value as object)) continue;
      Header('Cache-Control', 'no-store')(prototype as object, name, descriptor);
    }
  };
}
