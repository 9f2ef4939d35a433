import { lookup } from "node:dns/promises";

/** Asks who knows the addresses of a name; a test puts another in the system's place. */
export type Resolve = (host: string) => Promise<string[]>;

const underWay = new Map<string, Promise<string[]>>();

/**
 * Asks the system's resolver. All who ask for a host while it is being looked up
 * share that look-up: each takes a thread of the few that the whole process has
 * for look-ups and files, and a name whose server is silent would take them all.
 * An answer is not kept.
 */
export const resolveBySystem: Resolve = (host) => {
  const shared = underWay.get(host) ?? lookUp(host).finally(() => underWay.delete(host));
  underWay.set(host, shared);
  return shared;
};

const lookUp: Resolve = async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
