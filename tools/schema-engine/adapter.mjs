import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import { parseAddress } from "./datasource.mjs";

const CHAR_OID = 18;
const TEXT_OID = 25;

/** adapter-pg with what it lacks for migrations put right. */
export class MigrationAdapter extends PrismaPg {
  /** @param open gathers the pools that are opened, to be ended with the request (and their advisory locks with them) */
  constructor(connection, schema, shadowDatabaseUrl, open) {
    super(connection, { schema });
    this.parts = { connection, schema, shadowDatabaseUrl, open };
  }

  async connect() {
    const adapter = await super.connect();
    const pool = adapter.underlyingDriver();
    this.parts.open.add(pool);
    readCharColumns(adapter, pool);
    // The original splits scripts at semicolons and so cuts function bodies in pieces.
    adapter.executeScript = async (script) => {
      try {
        await pool.query(script);
      } catch (error) {
        adapter.onError(error);
      }
    };
    return adapter;
  }

  /** An empty database to replay migrations in, dropped when it is disposed of. */
  async connectToShadowDb() {
    const { connection, schema, shadowDatabaseUrl, open } = this.parts;
    if (shadowDatabaseUrl) {
      const given = parseAddress(shadowDatabaseUrl);
      return new MigrationAdapter(given.connection, given.schema, undefined, open).connect();
    }
    const database = `prisma_migrate_shadow_db_${randomUUID()}`;
    const main = await this.connect();
    await main.executeScript(`CREATE DATABASE "${database}"`);
    const shadow = await new MigrationAdapter({ ...connection, database }, schema, undefined, open).connect();
    const disconnect = shadow.dispose.bind(shadow);
    // The original drops the database while it is still connected to it.
    shadow.dispose = async () => {
      await disconnect();
      await main.executeScript(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
      await main.dispose();
    };
    return shadow;
  }
}

/** pg_catalog's one-byte "char" is unknown to adapter-pg: have it read as text and hand it on as a character. */
function readCharColumns(adapter, pool) {
  const query = pool.query.bind(pool);
  const queryRaw = adapter.queryRaw.bind(adapter);
  let charColumns = [];
  pool.query = async (...args) => {
    const result = await query(...args);
    charColumns = [];
    result?.fields?.forEach((field, index) => {
      if (field.dataTypeID !== CHAR_OID) return;
      field.dataTypeID = TEXT_OID;
      charColumns.push(index);
    });
    return result;
  };
  adapter.queryRaw = async (request) => {
    const result = await queryRaw(request);
    for (const index of charColumns) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
}
