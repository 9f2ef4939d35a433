import { PrismaPg } from "@prisma/adapter-pg";
import { forget, once } from "#lib/context/once";
import { PrismaClient } from "./generated/client.ts";
import { pool } from "./pool.ts";

/** The Prisma client over the web pool. For `*-store.ts` files alone. */
export const prisma = (): PrismaClient => once("prisma", () => new PrismaClient({ adapter: new PrismaPg(pool("web")) }));

/** Forgets the client, so that the next use opens one over the present pool; for shutdown and tests. */
export async function closePrisma(): Promise<void> {
  await forget<PrismaClient>("prisma")?.$disconnect();
}
