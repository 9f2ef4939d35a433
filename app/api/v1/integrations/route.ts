import { otherMethods } from "#lib/api/define-route";
import { viewListRoute } from "../view-routes.ts";

export const GET = viewListRoute("integration");

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
