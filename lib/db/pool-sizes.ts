import { EnvError, env } from "#lib/config/env";
import { once } from "#lib/context/once";

/** Apart, so that none starves another. `claims` records what a transaction on another connection claimed: neither waits for the other. */
export type PoolName = "web" | "receiver" | "receiver-large" | "worker" | "claims" | "queue" | "forwarding";

/** `listen`: the connection for notifications, which is in no pool. */
type Part = PoolName | "listen";
type Range = readonly [least: number, usual: number];

const PARTS = {
  // A look for alerts, while no worker is alive, reads beside its own transaction.
  web: { web: [2, 10], receiver: [1, 3], "receiver-large": [1, 1], worker: [2, 4], listen: [1, 1] },
  // A rebuild holds one of the worker's for minutes, and a batch of events one for its transaction.
  worker: {
    ...{ web: [2, 10], "receiver-large": [1, 3], worker: [3, 4], claims: [1, 1], queue: [1, 3], forwarding: [1, 3], listen: [1, 1] },
  },
} as const satisfies Record<string, Partial<Record<Part, Range>>>;

/** Processes that keep connections. Others (a command, a host that runs Next alone) have the pools of both. */
export type ProcessKind = keyof typeof PARTS;

/** Too little for a pool of its own: a web process tests destinations; a worker stores what is released, for which nobody waits. */
const SHARED: Record<ProcessKind, Partial<Record<PoolName, PoolName>>> = {
  web: { forwarding: "worker" },
  worker: { receiver: "receiver-large" },
};

const entriesOf = (kind: ProcessKind) => Object.entries(PARTS[kind]) as [Part, Range][];
const sum = (kind: ProcessKind, of: 0 | 1) => entriesOf(kind).reduce((total, [, range]) => total + range[of], 0);

/** Fewest connections with which a process works, and what it takes unless DATABASE_POOL says otherwise. */
export const LEAST_CONNECTIONS = { web: sum("web", 0), worker: sum("worker", 0) } as const;
const USUAL_CONNECTIONS = { web: sum("web", 1), worker: sum("worker", 1) } as const;

export const PROCESS_NAMES = { web: "a web process", worker: "a worker" } as const satisfies Record<ProcessKind, string>;

/** Returns how many connections a process takes by its settings. */
export const wantedConnections = (kind: ProcessKind): number => env().DATABASE_POOL ?? USUAL_CONNECTIONS[kind];

type Sizes = Partial<Record<Part, number>>;

/** Divides the connections of a process among its pools. @throws EnvError with the least of each pool, if they are too few */
export function poolSizes(kind: ProcessKind, connections: number): Sizes {
  const [least, usual] = [LEAST_CONNECTIONS[kind], USUAL_CONNECTIONS[kind]];
  if (connections < least)
    throw new EnvError(
      `DATABASE_POOL allows ${connections} connections; ${PROCESS_NAMES[kind]} needs at least ${least}: ${entriesOf(kind)
        .map(([part, [fewest]]) => `${part} ${fewest}`)
        .join(", ")}.`,
    );
  const share = (connections - least) / (usual - least);
  const sizes: Sizes = Object.fromEntries(entriesOf(kind).map(([part, [from, to]]) => [part, from + Math.floor(share * (to - from))]));
  const left = connections - Object.values(sizes).reduce((total, size) => total + size, 0);
  return { ...sizes, [kind]: (sizes[kind] ?? 0) + left };
}

type Plan = { kind: ProcessKind | null; sizes: Sizes };

const plan = () => once("pool-sizes", (): { set: Plan | null } => ({ set: null }));

/** Sets how many connections this process has, before it opens the first. @throws EnvError if they are too few */
export function setConnections(kind: ProcessKind, connections: number): void {
  plan().set = { kind, sizes: poolSizes(kind, connections) };
}

function planned(): Plan {
  const known = plan();
  const of = (kind: ProcessKind) => poolSizes(kind, Math.max(LEAST_CONNECTIONS[kind], wantedConnections(kind)));
  known.set ??= { kind: null, sizes: { ...of("worker"), ...of("web") } };
  return known.set;
}

/** Returns the pool whose connections are used under a name in this process. */
export function poolOf(name: PoolName): PoolName {
  const { kind } = planned();
  return (kind && SHARED[kind][name]) ?? name;
}

/** A pool that no part of this process uses has one connection, which is never opened. */
export const poolSize = (name: PoolName): number => planned().sizes[poolOf(name)] ?? 1;
