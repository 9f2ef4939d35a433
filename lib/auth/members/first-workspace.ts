/** The oldest workspace's owners and admins run the installation (docs/decisions/0078). */
export const FIRST_WORKSPACE = "SELECT id FROM workspaces ORDER BY created_at, id LIMIT 1";
