/** Returns the database of Prisma's command-line tool; only `prisma migrate` needs a real one. */
export function toolDatabaseUrl(): string {
  return process.env.DATABASE_URL ?? "postgresql://nobody@127.0.0.1:5432/unused";
}
