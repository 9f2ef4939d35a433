import { connectionOptions, DatabaseClient } from "./client.ts";

const LIMITS = { name: "signalbox-start", statementMs: 5000, connectMs: 5000 };

type Rights = {
  role: string;
  database: string;
  hasSchema: boolean;
  inSchema: boolean;
  inDatabase: boolean;
  temporary: boolean;
  /** Another role that owns tables of ours. */
  owner: string | null;
  /** The first of them. */
  owned: string | null;
};

// The job queue makes its own schema. Tables that are not ours are nobody's business here: a provider's, a person's copy.
const RIGHTS = `SELECT current_user AS role, current_database() AS database, n.oid IS NOT NULL AS "hasSchema",
    coalesce(has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE'), false) AS "inSchema",
    has_database_privilege(current_database(), 'CREATE')
      OR coalesce(has_schema_privilege(to_regnamespace('pgboss'), 'CREATE'), false) AS "inDatabase",
    has_database_privilege(current_database(), 'TEMPORARY') AS temporary, o.owner, o.owned
  FROM (SELECT to_regnamespace('public') AS oid) n LEFT JOIN LATERAL (
    SELECT pg_get_userbyid(c.relowner) AS owner, c.relname AS owned FROM pg_class c
    WHERE to_regclass('public.event_keys') IS NOT NULL AND c.relnamespace = n.oid AND c.relkind IN ('r', 'p')
      AND (c.relispartition OR c.relname IN ('_prisma_migrations', 'event_keys', 'event_search', 'events', 'users', 'workspaces'))
      AND NOT pg_has_role(c.relowner, 'USAGE')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname LIMIT 1) o ON true`;

/** Checks what the role may do, before a table is made. @throws Error that names each missing right, and how to give it */
export async function requireRights(databaseUrl: string): Promise<void> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LIMITS));
  await client.connect();
  try {
    const { rows } = await client.query<Rights>(RIGHTS);
    const missing = rows[0] ? missingOf(rows[0], (name) => client.escapeIdentifier(name)) : [];
    if (missing.length === 0) return;
    const { role, database } = rows[0] as Rights;
    throw new Error(
      `The role ${role} lacks rights on the database ${database}. Nothing was changed. Run as the database's owner:\n${missing.map((line) => `  ${line}`).join("\n")}`,
    );
  } finally {
    await client.end();
  }
}

function missingOf({ role, database, hasSchema, inSchema, inDatabase, temporary, owner, owned }: Rights, quote: (name: string) => string) {
  const [to, on] = [quote(role), quote(database)];
  const lines: [isMissing: boolean, statement: string][] = [
    [!hasSchema, `CREATE SCHEMA public AUTHORIZATION ${to};  -- the tables are in it`],
    [hasSchema && !inSchema, `GRANT USAGE, CREATE ON SCHEMA public TO ${to};  -- for the tables`],
    [!inDatabase, `GRANT CREATE ON DATABASE ${on} TO ${to};  -- for the schema of the job queue`],
    [!temporary, `GRANT TEMPORARY ON DATABASE ${on} TO ${to};  -- rebuilds compare in temporary tables`],
    [owner !== null, `GRANT ${quote(owner ?? "")} TO ${to};  -- who owns the tables, such as ${owned}: migrations change them`],
  ];
  return lines.flatMap(([isMissing, statement]) => (isMissing ? [statement] : []));
}
