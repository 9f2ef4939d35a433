import pg from "pg";

/** The connection that `--datasource` names; its addresses may be absent, as for a diff of two files. */
export const readDatasource = (json) => (json ? JSON.parse(json) : {});

/** An address in parts, as the driver wants it, with Prisma's own `?schema=` apart. */
export function parseAddress(address) {
  if (!address) return { schema: undefined, connection: {} };
  const url = new URL(address);
  return {
    schema: url.searchParams.get("schema") ?? undefined,
    connection: {
      host: url.hostname,
      port: Number(url.port || 5432),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
    },
  };
}

/** Runs one statement on the datasource's server. @param database which one there; `postgres` is always there */
export async function runStatement(datasource, sql, database = "postgres") {
  const client = new pg.Client({ ...parseAddress(datasource.url).connection, database });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

export const databaseName = (datasource) => parseAddress(datasource.url).connection.database;

export const createDatabase = (datasource) => runStatement(datasource, `CREATE DATABASE ${pg.escapeIdentifier(databaseName(datasource))}`);
