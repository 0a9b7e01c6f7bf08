/** In all that must not be stored anywhere: headers, cookies, tokens, claims, keys. */
export const CANARY = 'planted';
