/** The database that Prisma's command-line tool works on; only `prisma migrate` needs one. */
export function toolDatabaseUrl(): string {
  return process.env.DATABASE_URL ?? "postgresql://nobody@127.0.0.1:5432/unused";
}
