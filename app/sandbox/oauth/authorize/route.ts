import { answerAuthorize } from "#lib/sandbox/authorize-endpoint";
import { whileSandboxOn } from "#lib/sandbox/http-answers";

/** The permission dialog (platform-spec, OAuth step 1). Open to anyone: the sandbox platform has no sign-in. */
export const GET = whileSandboxOn(async (request: Request) => answerAuthorize(request, new Date()));
