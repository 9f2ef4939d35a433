import { otherMethods } from "#lib/api/other-methods";
import { viewListRoute } from "../view-routes.ts";

export const GET = viewListRoute("record");

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
