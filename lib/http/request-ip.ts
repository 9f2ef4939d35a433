import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "#lib/context/once";

type Origin = { address: string | null; fromThisMachine: boolean };

const store = (): AsyncLocalStorage<Origin> => once("request-origin", () => new AsyncLocalStorage<Origin>());

/** Runs the answering of a request. `fromThisMachine`: a program here sent it, without a proxy. */
export const withRequestIp = <T>(address: string | null, work: () => T, fromThisMachine = false): T =>
  store().run({ address, fromThisMachine }, work);

/** Returns the current request's IP address; null if none can be trusted (plain Next, or no request). No client can set it. */
export const requestIp = (): string | null => store().getStore()?.address ?? null;

/** True if a program on this machine sent the current request, without a proxy; false if that is not known. */
export const requestIsFromThisMachine = (): boolean => store().getStore()?.fromThisMachine ?? false;
