import { whileSandboxOn } from "#lib/sandbox/http-answers";
import { answerAuthorize } from "#lib/sandbox/oauth/authorize-endpoint";

/** The permission dialog (docs/platform.md, OAuth step 1). Public: the sandbox platform has no sign-in. */
export const GET = whileSandboxOn(async (request: Request) => answerAuthorize(request, new Date()));
