import { connectionOptions, DatabaseClient } from "./client.ts";

const LIMITS = { name: "signalbox-start", statementMs: 5000, connectMs: 5000 };

type Rights = {
  role: string;
  database: string;
  hasSchema: boolean;
  inSchema: boolean;
  /** May make schemas. */
  creates: boolean;
  /** May make the job queue's schema, or tables in it. */
  inDatabase: boolean;
  temporary: boolean;
  /** Owners of the database and of the schema public, in the name of the role itself where it is a member. */
  databaseOwner: string;
  schemaOwner: string;
  /** Another role that owns tables of ours. */
  owner: string | null;
  ownerIsSuperuser: boolean;
  /** The first of them. */
  owned: string | null;
};

// The job queue makes its own schema. Tables that are not ours are nobody's business here: a provider's, a person's copy.
const RIGHTS = `SELECT current_user AS role, current_database() AS database, n.oid IS NOT NULL AS "hasSchema",
    coalesce(has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE'), false) AS "inSchema",
    has_database_privilege(current_database(), 'CREATE') AS creates,
    has_database_privilege(current_database(), 'CREATE')
      OR coalesce(has_schema_privilege(to_regnamespace('pgboss'), 'CREATE'), false) AS "inDatabase",
    has_database_privilege(current_database(), 'TEMPORARY') AS temporary,
    CASE WHEN pg_has_role(d.datdba, 'USAGE') THEN current_user ELSE pg_get_userbyid(d.datdba) END AS "databaseOwner",
    CASE WHEN pg_has_role(s.owner, 'USAGE') THEN current_user ELSE pg_get_userbyid(s.owner) END AS "schemaOwner",
    o.owner, coalesce(o.superuser, false) AS "ownerIsSuperuser", o.owned
  FROM (SELECT to_regnamespace('public') AS oid) n CROSS JOIN pg_database d LEFT JOIN LATERAL (
    SELECT CASE WHEN nspowner = 'pg_database_owner'::regrole THEN d.datdba ELSE nspowner END AS owner
    FROM pg_namespace WHERE oid = n.oid) s ON true LEFT JOIN LATERAL (
    SELECT r.rolname AS owner, r.rolsuper AS superuser, c.relname AS owned FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
    WHERE to_regclass('public.event_keys') IS NOT NULL AND c.relnamespace = n.oid AND c.relkind IN ('r', 'p')
      AND (c.relispartition OR c.relname IN ('_prisma_migrations', 'event_keys', 'event_search', 'events', 'users', 'workspaces'))
      AND NOT pg_has_role(c.relowner, 'USAGE')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname LIMIT 1) o ON true
  WHERE d.datname = current_database()`;

/** Checks what the role may do, before a table is made. @throws Error that names each missing right, how to give it, and who can */
export async function requireRights(databaseUrl: string): Promise<void> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LIMITS));
  await client.connect();
  try {
    const { rows } = await client.query<Rights>(RIGHTS);
    const [rights] = rows;
    const missing = rights ? missingOf(rights, (name) => client.escapeIdentifier(name)) : [];
    if (rights && missing.length > 0) throw new Error(wordsFor(rights, missing));
  } finally {
    await client.end();
  }
}

/** `by`: who can run the statement; null for a superuser alone. */
type Missing = { statement: string; why: string; by: string | null };

function missingOf(rights: Rights, quote: (name: string) => string): Missing[] {
  const { hasSchema, inSchema, creates, inDatabase, temporary, databaseOwner, schemaOwner, owner } = rights;
  const [to, on] = [quote(rights.role), quote(rights.database)];
  const all: [isMissing: boolean, missing: Missing][] = [
    [
      !hasSchema,
      { statement: `CREATE SCHEMA public AUTHORIZATION ${to}`, why: "the tables are in it", by: creates ? rights.role : databaseOwner },
    ],
    [hasSchema && !inSchema, { statement: `GRANT USAGE, CREATE ON SCHEMA public TO ${to}`, why: "for the tables", by: schemaOwner }],
    [!inDatabase, { statement: `GRANT CREATE ON DATABASE ${on} TO ${to}`, why: "for the schema of the job queue", by: databaseOwner }],
    [
      !temporary,
      { statement: `GRANT TEMPORARY ON DATABASE ${on} TO ${to}`, why: "rebuilds compare in temporary tables", by: databaseOwner },
    ],
    [owner !== null, ownershipOf(rights, quote)],
  ];
  return all.flatMap(([isMissing, missing]) => (isMissing ? [missing] : []));
}

/** To be a member of a superuser's role is to be one: such tables change their owner instead. */
function ownershipOf({ role, owner, ownerIsSuperuser, owned }: Rights, quote: (name: string) => string): Missing {
  const why = `who owns the tables, such as ${owned}: migrations change them`;
  if (!ownerIsSuperuser) return { statement: `GRANT ${quote(owner ?? "")} TO ${quote(role)}`, why, by: null };
  return {
    statement: changeOwner(role.replaceAll("'", "''")),
    why: `they are ${owner}'s, such as ${owned}: migrations change them`,
    by: null,
  };
}

/** Of all that a migration made; what belongs to a table follows it. @param to escaped for a literal */
const changeOwner = (to: string): string =>
  `DO $$ DECLARE each text; BEGIN FOR each IN
    SELECT 'TABLE ' || c.oid::regclass FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND (d.deptype = 'e' OR c.relkind = 'S' AND d.deptype IN ('a', 'i')))
    UNION ALL SELECT 'ROUTINE ' || p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    UNION ALL SELECT 'TYPE ' || t.oid::regtype FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'e'
  LOOP EXECUTE format('ALTER %s OWNER TO %I', each, '${to}'); END LOOP; END $$`;

function wordsFor({ role, database, databaseOwner }: Rights, missing: readonly Missing[]): string {
  const nameOf = (by: string | null) => {
    if (by === null) return "a superuser";
    if (by === role) return `${role}, which may do this itself`;
    return by === databaseOwner ? "the database's owner" : by;
  };
  const people = new Set(missing.map(({ by }) => nameOf(by)));
  const isOne = people.size === 1;
  const lines = missing.map(({ statement, why, by }) => `  ${statement};  -- ${isOne ? "" : `as ${nameOf(by)}: `}${why}`);
  const who = isOne ? `Run as ${[...people].join()}` : "Run each as its comment says, or all as a superuser";
  return `The role ${role} lacks rights on the database ${database}. Nothing was changed. ${who}:\n${lines.join("\n")}`;
}
