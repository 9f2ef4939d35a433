import { viewDetailRoute } from "../../view-routes.ts";

export const GET = viewDetailRoute("task");
