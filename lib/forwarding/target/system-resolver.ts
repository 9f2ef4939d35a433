import { lookup } from "node:dns/promises";

export type Resolve = (host: string) => Promise<string[]>;

const underWay = new Map<string, Promise<string[]>>();

/** Shares look-ups of a host under way: each takes one of the process's few threads, and a silent DNS server would take them all. */
export const resolveBySystem: Resolve = (host) => {
  const shared = underWay.get(host) ?? lookUp(host).finally(() => underWay.delete(host));
  underWay.set(host, shared);
  return shared;
};

const lookUp: Resolve = async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
