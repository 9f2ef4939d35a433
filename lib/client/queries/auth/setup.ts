import { apiSend } from "#lib/client/fetch/fetcher";
import type { SetupBody } from "#lib/contracts/auth/setup";

/** Creates the first owner. @throws ApiProblem with the rejected field, or the reason why the link is invalid */
export const createOwner = (body: SetupBody): Promise<null> => apiSend(null, "POST", "/api/setup", body);
