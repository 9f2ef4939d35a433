import { AppError } from "#lib/contracts/api/app-error";
import { problemResponse } from "#lib/http/problem";

/** Answers every other URL below /api with a problem, where Next would answer with a page. */
function answer(): Response {
  return problemResponse(new AppError("not_found", "The API has no such URL. It is described at /api/v1/openapi.json."));
}

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
