import { answerResponse, whileSandboxOn } from "#lib/sandbox/http-answers";
import { registeredApp } from "#lib/sandbox/oauth/authorization-request";
import { answerToken, readFields, UNREADABLE } from "#lib/sandbox/oauth/token-endpoint";

/** Code exchange and refresh (docs/platform.md, OAuth step 3). */
export const POST = whileSandboxOn(async (request: Request) => {
  const fields = await readFields(request);
  return answerResponse(fields ? await answerToken(fields, registeredApp(), new Date()) : UNREADABLE);
});
