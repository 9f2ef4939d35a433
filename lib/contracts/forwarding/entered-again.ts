/** True if two URLs lead to different hosts. Scheme and port count: each may be another service, and http can be read on the way. */
export const leadsElsewhere = (before: string, after: string): boolean => originOf(before) !== originOf(after);

const originOf = (url: string): string => URL.parse(url.trim())?.origin ?? url;

export const enterAgainWords = (label: string): string =>
  `The URL has a different host. Enter the ${label} again: it is only used for the host it was entered for.`;
