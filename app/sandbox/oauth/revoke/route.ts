import { answerResponse, whileSandboxOn } from "#lib/sandbox/http-answers";
import { registeredApp } from "#lib/sandbox/oauth/authorization-request";
import { answerRevocation, readFields, UNREADABLE } from "#lib/sandbox/oauth/token-endpoint";

/** RFC 7009. */
export const POST = whileSandboxOn(async (request: Request) => {
  const fields = await readFields(request);
  return answerResponse(fields ? await answerRevocation(fields, registeredApp(), new Date()) : UNREADABLE);
});
