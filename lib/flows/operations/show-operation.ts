import { type Operation, operation } from "#lib/contracts/operations/operations";
import type { StoredOperation } from "#lib/operations/operation-record";

/** Leaves out the input, and what its kind alone understands. */
export const showOperation = (stored: StoredOperation): Operation => operation.parse(stored);
