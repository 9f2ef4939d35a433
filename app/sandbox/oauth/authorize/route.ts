import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { answerAuthorize } from "#lib/sandbox/oauth/authorize-endpoint";

/** The permission dialog (platform-spec, OAuth step 1). Open to anyone: the sandbox platform has no sign-in. */
export const GET = whileSandboxOn(async (request: Request) => answerAuthorize(request, new Date()));
