import path from "node:path";
import { dataDir } from "./process-environment.ts";

export const postgresDirectory = (): string => path.join(dataDir(), "postgres");

/** Returns the lock of the one supervisor of DATA_DIR. */
export const supervisorLock = (): string => path.join(dataDir(), "signalbox.lock");
