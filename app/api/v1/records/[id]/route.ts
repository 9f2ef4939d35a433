import { viewDetailRoute } from "../../view-routes.ts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = viewDetailRoute("record");
