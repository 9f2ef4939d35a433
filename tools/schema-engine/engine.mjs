import { readFileSync } from "node:fs";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { MigrationAdapter } from "./adapter.mjs";
import { createDatabase, databaseName, parseAddress, runStatement } from "./datasource.mjs";
import { newEngine } from "./wasm.mjs";

const EMPTY_DATAMODEL = ["empty.prisma", 'datasource db {\n  provider = "postgresql"\n}\n'];

/** These two have no way to a shadow database of their own, but use the schema that devDiagnostic has just worked out. */
const NEED_DIAGNOSTIC = new Set(["evaluateDataLoss", "createMigration"]);

/** Functions that the WASM build expects of its host. */
const HOST_METHODS = {
  createDatabase: async (datasource) => {
    await createDatabase(datasource);
    return { databaseName: databaseName(datasource) };
  },
  getDatabaseVersion: async (datasource) => {
    const { rows } = await runStatement(datasource, "SHOW server_version", databaseName(datasource));
    return rows[0].server_version;
  },
};

/**
 * Calls the engine's methods. Each call gets an engine of its own: a used one
 * can't take a second shadow database.
 *
 * @param datamodels paths of the schema's files
 */
export function createEngineHost(datasource, datamodels) {
  const texts = datamodels.length > 0 ? datamodels.map((file) => [file, readFileSync(file, "utf8")]) : [EMPTY_DATAMODEL];
  const { connection, schema } = parseAddress(datasource.url);
  return {
    async call(method, params) {
      if (HOST_METHODS[method]) return HOST_METHODS[method](datasource);
      const open = new Set();
      try {
        const adapter = new MigrationAdapter(connection, schema, datasource.shadowDatabaseUrl, open);
        const engine = await newEngine(texts, bindMigrationAwareSqlAdapterFactory(adapter));
        if (NEED_DIAGNOSTIC.has(method)) {
          const { migrationsList, filters } = params;
          await engine.devDiagnostic({ migrationsList, filters }).catch(() => undefined); // the call below reports it
        }
        return await engine[method](params);
      } finally {
        for (const pool of open) if (!pool.ended) await pool.end();
      }
    },
  };
}
