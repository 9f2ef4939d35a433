import { otherMethods } from "#lib/api/define-route";
import { viewDetailRoute } from "../../view-routes.ts";

export const GET = viewDetailRoute("integration");

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
