/** Why a call asks the user: the AI SDK carries it in the approval's `descriptor`. */
export function reasonOf(approval: object): string | undefined {
  const { descriptor } = approval as { readonly descriptor?: { readonly reason?: unknown } };
  return typeof descriptor?.reason === 'string' ? descriptor.reason : undefined;
}
