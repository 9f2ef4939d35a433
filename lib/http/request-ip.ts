import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "#lib/context/once";

type Origin = { address: string | null; fromThisMachine: boolean };

const store = (): AsyncLocalStorage<Origin> => once("request-origin", () => new AsyncLocalStorage<Origin>());

/**
 * Runs the answering of a request.
 *
 * @param address where it came from, as far as that is known
 * @param fromThisMachine true when a program on this machine sent it, without a proxy
 */
export const withRequestIp = <T>(address: string | null, work: () => T, fromThisMachine = false): T =>
  store().run({ address, fromThisMachine }, work);

/**
 * The address that the current request came from. It is no header, so that no
 * client can write it; null where none can be trusted (under plain Next, or outside a request).
 */
export const requestIp = (): string | null => store().getStore()?.address ?? null;

/** True when the current request came from a program on this machine, without a proxy; false where that is not known. */
export const requestIsFromThisMachine = (): boolean => store().getStore()?.fromThisMachine ?? false;
