import path from "node:path";
import { dataDir } from "./process-environment.ts";

/** Returns where the built-in database lies, below DATA_DIR. */
export const postgresDirectory = (): string => path.join(dataDir(), "postgres");

/** The lock of the one supervisor that works on DATA_DIR. */
export const supervisorLock = (): string => path.join(dataDir(), "signalbox.lock");
