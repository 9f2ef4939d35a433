import { readingRows } from "./api.ts";
import { KEYS } from "./keys.ts";

/** In a file of its own: lists that name members don't load what changes them. */
export const membersQuery = readingRows([...KEYS.settings, "members"], "GET /api/v1/members");
