import { type Operation, operation } from "#lib/contracts/operations/operations";
import type { StoredOperation } from "#lib/operations/operation-record";

/** Returns what everybody may see of a stored operation: not its input, nor what its kind alone understands. */
export const showOperation = (stored: StoredOperation): Operation => operation.parse(stored);
