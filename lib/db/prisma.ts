import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { once } from "#lib/context/once";
import { Prisma, PrismaClient } from "./generated/client.ts";
import { pool } from "./pool.ts";

export type Connection = pg.Pool | pg.PoolClient;

/** Given to Prisma's driver adapter: it has no connections, and sends each statement where the call says. */
class RoutedPool extends pg.Pool {
  readonly #route: AsyncLocalStorage<Connection>;

  constructor(route: AsyncLocalStorage<Connection>) {
    super();
    this.#route = route;
  }

  override query = ((...values: Parameters<pg.Pool["query"]>) => this.#target().query(...values)) as pg.Pool["query"];

  /** Called for calls of several statements: Prisma sends BEGIN then, which a connection in a transaction must not get. */
  override connect = (() => {
    const target = this.#target();
    if (target instanceof pg.Pool) return target.connect();
    throw new Error("This call of Prisma takes several statements, and can't be part of a transaction. Make one call for each.");
  }) as pg.Pool["connect"];

  #target(): Connection {
    const target = this.#route.getStore();
    if (target === undefined) throw new Error("A call of Prisma without a connection: get the client by prisma().");
    return target;
  }
}

type Shared = { base: PrismaClient; route: AsyncLocalStorage<Connection>; bound: WeakMap<Connection, PrismaClient> };

// One per process: a second copy of this module must route by the storage that the adapter reads.
const shared = (): Shared =>
  once("prisma", () => {
    const route = new AsyncLocalStorage<Connection>();
    const base = new PrismaClient({ adapter: new PrismaPg(new RoutedPool(route)), errorFormat: "minimal" });
    return { base, route, bound: new WeakMap() };
  });

/** Returns the client over a pool or a transaction, for stores alone. No `findUnique` in a transaction: Prisma joins concurrent ones. */
export function prisma(connection: Connection = pool("web")): PrismaClient {
  const { base, route, bound } = shared();
  const found = bound.get(connection);
  if (found) return found;
  const made = base.$extends({
    query: {
      // `await` inside: Prisma sends a call when it is awaited, which must happen where the route is set.
      $allOperations: ({ query, args, model = "", operation }) =>
        route
          .run(connection, async () => await query(args))
          .catch((error: unknown) => {
            // Its message has every argument of the call, and one may be a secret.
            if (error instanceof Prisma.PrismaClientValidationError) throw new Error(`Prisma can't send this call: ${model}.${operation}`);
            throw error;
          }),
    },
  }) as unknown as PrismaClient;
  bound.set(connection, made);
  return made;
}

/** Loads what the first call needs (0.2 s of processor), so that no webhook waits for it. Opens no connection. */
export const loadPrisma = (): Promise<void> => shared().base.$connect();
