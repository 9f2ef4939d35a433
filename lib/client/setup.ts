import { apiSend } from "#lib/client/fetcher";
import type { SetupBody } from "#lib/contracts/setup";

/**
 * Creates the first owner.
 *
 * @throws ApiProblem with the field that was refused, or why the link is worth nothing
 */
export const createOwner = (body: SetupBody): Promise<null> => apiSend(null, "POST", "/api/setup", body);
