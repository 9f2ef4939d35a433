import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "./generated/client.ts";
import { pool } from "./pool.ts";

const shared = globalThis as typeof globalThis & { signalboxPrisma?: PrismaClient };

/** The Prisma client over the web pool. For `*-store.ts` files alone. */
export function prisma(): PrismaClient {
  shared.signalboxPrisma ??= new PrismaClient({ adapter: new PrismaPg(pool("web")) });
  return shared.signalboxPrisma;
}

/** Forgets the client, so that the next use opens one over the present pool; for shutdown and tests. */
export async function closePrisma(): Promise<void> {
  const client = shared.signalboxPrisma;
  delete shared.signalboxPrisma;
  await client?.$disconnect();
}
