const PASSED_ON = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "SYSTEMROOT", "windir"];

/** Returns the environment for programs that aren't ours: no secrets, and no settings meant for another server (PGPORT, LC_ALL). */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(passed), LANG: "C", LC_ALL: "C", TZ: "UTC" };
}

/** Returns the database of Prisma's command-line tool; only `prisma migrate` needs a real one. */
export function toolDatabaseUrl(): string {
  return process.env.DATABASE_URL ?? "postgresql://nobody@127.0.0.1:5432/unused";
}
